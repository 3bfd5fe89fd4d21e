/**
 * `npm run grant -- <email> <level> [--remote]`: the operator's way to change a user's level, in the local database
 * or, with --remote, in the deployed one. The user must have signed in once. Leaves a row in the access log.
 */
import { spawnSync } from 'node:child_process';
import { roleNames, secureLevelSchema, type SecureLevel } from '#contract/access-levels';
import { z } from 'zod';
import { openLocalD1 } from './local-d1.ts';

const USAGE = `usage: npm run grant -- <email> <level> [--remote]
levels: ${Object.entries(roleNames)
  .map(([level, name]) => `${level} ${name}`)
  .join(', ')}`;

const rowsSchema = z.array(z.object({ name: z.string(), email: z.string(), secure_level: z.number() }));
const failureSchema = z.object({ error: z.object({ text: z.string() }) });
const answerSchema = z.array(z.object({ results: z.array(z.unknown()) }));

type Change = { write: string[]; read: string };

function changeOf(email: string, level: SecureLevel): Change {
  const whom = `lower(email) = lower(${quoted(email)})`;
  return {
    write: [
      `INSERT INTO access_log (at, actor_id, address, action, subject, subject_id, detail)
       SELECT ${Date.now()}, NULL, 'operator', 'change', 'user', CAST(id AS TEXT),
              json_object('secure_level', json_array(secure_level, ${level}))
       FROM users WHERE ${whom}`,
      `UPDATE users SET secure_level = ${level} WHERE ${whom}`,
    ],
    read: `SELECT name, email, secure_level FROM users WHERE ${whom}`,
  };
}

/** wrangler takes no parameters, so the text is quoted as SQLite wants it. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function grantLocally({ write, read }: Change): unknown {
  const db = openLocalD1(process.env.DATA_DIR ?? '.data');
  try {
    db.exec('BEGIN IMMEDIATE');
    for (const statement of write) db.exec(statement);
    db.exec('COMMIT');
    return db.prepare(read).all();
  } finally {
    db.close();
  }
}

function grantRemotely({ write, read }: Change): unknown {
  const args = [
    'd1',
    'execute',
    'cps-lab',
    '--remote',
    '--yes',
    '--json',
    '--command',
    [...write, read].join(';\n'),
  ];
  const done = spawnSync('wrangler', args, {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(failureSchema.parse(JSON.parse(done.stdout)).error.text);
  return answerSchema.parse(JSON.parse(done.stdout)).at(-1)?.results;
}

function grant(args: string[]): string {
  const [email, level] = args.filter((arg) => arg !== '--remote');
  const wanted = secureLevelSchema.safeParse(Number(level));
  if (!z.email().safeParse(email).success || email === undefined || !wanted.success) throw new Error(USAGE);
  const change = changeOf(email, wanted.data);
  const rows = rowsSchema.parse(args.includes('--remote') ? grantRemotely(change) : grantLocally(change));
  if (rows.length === 0) throw new Error(`nobody with the address ${email} has signed in yet`);
  return rows
    .map((row) => `${row.email} is now ${roleNames[wanted.data]} (level ${row.secure_level})`)
    .join('\n');
}

try {
  console.log(grant(process.argv.slice(2)));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    reason.includes('the last admin stays') ? 'refused: there is always at least one admin' : reason,
  );
  process.exitCode = 1;
}
