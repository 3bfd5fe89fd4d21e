/** `npm run bench -- backup [readings [pictures]]`: backup, loss of the data folder and restore, as an operator does it. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ownKeyFingerprint } from '../../scripts/backup/author.ts';
import { tableDigest, sha256, tableNames } from '../../scripts/backup/archive.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { DATABASES, openLocalD1 } from '../../scripts/database/local-d1.ts';
import { watchMemory } from './memory.ts';
import { printTable } from './table.ts';

const READINGS = Number(process.argv[2] ?? 100_000);
const PICTURES = Number(process.argv[3] ?? 500);
/** What the browser makes of a photograph before it sends it, at most. */
const PICTURE_BYTES = 200_000;

async function seed(dataDir: string): Promise<void> {
  const store = await openLocalStore(dataDir, { claim: true });
  await store.migrate();
  const db = openLocalD1(dataDir);
  const plants = openLocalD1(dataDir, { database: 'PLANTS_DB' });
  plants.exec("INSERT INTO plants (id, name) VALUES (1, 'basil'), (2, 'fern'), (3, 'moss'), (4, 'thyme')");
  plants
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
     INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT 1 + i % 4, 1700000000000 + i / 4 * 60000, i, (i * 7) % 1024, 1700000000000 + i / 4 * 60000 FROM n`,
    )
    .run(READINGS);
  plants.close();
  const student = db.prepare("INSERT INTO students (id, name) VALUES (?, '한별하')");
  const picture = db.prepare(
    `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
     VALUES (?, 'image/jpeg', ?, ?, 600, 800, 0)`,
  );
  for (let index = 0; index < PICTURES; index++) {
    const id = String(20_990_000 + index);
    const content = randomBytes(PICTURE_BYTES);
    student.run(id);
    picture.run(id, content.length, sha256(content));
    await store.writeObject({ key: `pictures/${id}`, type: 'image/jpeg', content });
  }
  db.close();
  await store.close();
}

/** Number and hash of everything that is kept. */
async function fingerprint(dataDir: string): Promise<{ rows: number; files: number; hash: string }> {
  const hash = createHash('sha256');
  let rows = 0;
  for (const database of DATABASES) {
    const db = openLocalD1(dataDir, { database, readOnly: true });
    // A restore writes a row into the log, which says so.
    for (const name of tableNames(db).filter((table) => !['access_log', 'sqlite_sequence'].includes(table))) {
      const content = tableDigest(db, name);
      rows += content.rows;
      hash.update(`${name} ${content.rows} ${content.sha256}\n`);
    }
    db.close();
  }
  const store = await openLocalStore(dataDir);
  const keys = (await store.objectKeys()).toSorted();
  for (const key of keys) {
    const object = await store.readObject(key);
    hash.update(`${key} ${object?.type} ${object && sha256(object.content)}\n`);
  }
  await store.close();
  return { rows, files: keys.length, hash: hash.digest('hex') };
}

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** Runs `npm run <name>` as package.json has it. @returns its time, and the most memory that all of its processes held at once */
async function operate(name: string, args: string[], dataDir: string) {
  const started = performance.now();
  const [, ...words] = scripts[name]?.split(' ') ?? [];
  const child = spawn(process.execPath, [...words, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const peak = watchMemory(child);
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
  if (code !== 0) throw new Error(`npm run ${name} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, peak: peak() };
}

const place = mkdtempSync(join(tmpdir(), 'cps-lab-bench-backup-'));
try {
  const dataDir = join(place, 'data');
  const backups = join(place, 'backups');
  await seed(dataDir);
  console.log(`bench  ${READINGS} readings and ${PICTURES} pictures stored`);

  const backup = await operate('backup', ['--to', backups, '--unencrypted'], dataDir);
  // The backup leaves word of itself in the product and in the archive.
  const before = await fingerprint(dataDir);
  const archive = join(backups, readdirSync(backups)[0] ?? '');
  const author = ownKeyFingerprint(dataDir) ?? '';
  const deleting = performance.now();
  rmSync(dataDir, { recursive: true });
  const deletion = (performance.now() - deleting) / 1000;
  const restore = await operate('restore', [archive, '--author', author], dataDir);

  const after = await fingerprint(dataDir);
  const total = backup.seconds + deletion + restore.seconds;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  printTable(`${READINGS} readings (${before.rows} rows in all) and ${PICTURES} pictures`, [
    { figure: 'backup, proven', value: `${backup.seconds.toFixed(1)} s`, target: '≤ 20 s for a million' },
    { figure: 'deletion of the data folder', value: `${deletion.toFixed(1)} s`, target: 'no target' },
    { figure: 'restore, proven', value: `${restore.seconds.toFixed(1)} s`, target: '≤ 25 s for a million' },
    { figure: 'in all', value: `${total.toFixed(1)} s`, target: '≤ 120 s' },
    { figure: 'rows lost', value: String(before.rows - after.rows), target: '0' },
    { figure: 'files lost', value: String(before.files - after.files), target: '0' },
    { figure: 'content hashes', value: before.hash === after.hash ? 'equal' : 'DIFFERENT', target: 'equal' },
    { figure: 'archive', value: megabytes(statSync(archive).size), target: 'no target' },
    { figure: 'most memory of the backup', value: megabytes(backup.peak), target: '≤ 200 MB' },
    { figure: 'most memory of the restore', value: megabytes(restore.peak), target: '≤ 200 MB' },
  ]);
  if (before.hash !== after.hash) process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true });
}
