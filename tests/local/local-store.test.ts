import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { schemaStatements } from '../../scripts/backup/archive.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { inBoth } from '../support/both-databases.ts';
import { openLocalBindings } from '../support/local-bindings.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-local-store-'));
afterAll(() => rmSync(place, { recursive: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const schemaIn = (dataDir: string) => inBoth(dataDir, schemaStatements);

test("OPS-9 what is restored without the workers' runtime is what the runtime then finds, and the other way round", async () => {
  const dataDir = join(place, 'data');
  const store = await openLocalStore(dataDir, { claim: true });
  await store.migrate();
  await store.writeObject({ key: 'pictures/1', type: 'image/png', content: bytes('first') });
  await store.writeObject({ key: 'pictures/1', type: 'image/jpeg', content: bytes('second') });
  await store.writeObject({ key: 'pictures/gone', type: 'image/png', content: bytes('gone') });
  await store.deleteObject('pictures/gone');
  await store.close();

  const { d1, plants, files, dispose } = await openLocalBindings(dataDir);
  const picture = await files.get('pictures/1');
  expect(await picture?.text()).toBe('second');
  expect(picture?.httpMetadata?.contentType).toBe('image/jpeg');
  expect((await files.list()).objects.map(({ key }) => key)).toEqual(['pictures/1']);
  // Miniflare finds the databases under its own names, with all migrations applied.
  expect(await migrate(d1, 'migrations')).toEqual([]);
  expect(await migrate(plants, 'migrations/plants')).toEqual([]);
  await plants.prepare("INSERT INTO plants (name) VALUES ('fern')").run();
  await d1.prepare("INSERT INTO first_admins (email) VALUES ('admin@lab.test')").run();
  await files.put('pictures/2', bytes('of the runtime'), { httpMetadata: { contentType: 'image/webp' } });
  await files.put('pictures/1', bytes('third'));
  await dispose();

  const again = await openLocalStore(dataDir);
  try {
    expect(await again.rows('SELECT name FROM plants', 'PLANTS_DB')).toEqual([{ name: 'fern' }]);
    expect(await again.rows('SELECT email FROM first_admins')).toEqual([{ email: 'admin@lab.test' }]);
    expect(await again.objectKeys()).toEqual(['pictures/1', 'pictures/2']);
    const read = await Promise.all(['pictures/1', 'pictures/2', 'pictures/3'].map(again.readObject));
    expect(read.map((object) => object && [object.type, new TextDecoder().decode(object.content)])).toEqual([
      ['application/octet-stream', 'third'],
      ['image/webp', 'of the runtime'],
      undefined,
    ]);
  } finally {
    await again.close();
  }
});

test('OPS-9 migrations make of a file the same tables as of D1', async () => {
  const dataDir = join(place, 'by-d1');
  const { d1, plants, dispose } = await openLocalBindings(dataDir);
  await migrate(d1, 'migrations');
  await migrate(plants, 'migrations/plants');
  await dispose();
  expect(schemaIn(join(place, 'data'))).toEqual(schemaIn(dataDir));
});
