/**
 * The ingest worker in a process of its own, which can be killed.
 * Arguments: file with the worker's script, folder of its D1, port, address of the queue or nothing, keys of the bridges as JSON,
 * number of databases of plants.
 */
import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';
import * as z from 'zod';
import { homeNames } from '../../../scripts/local-d1.ts';
import { migrate } from '../../../scripts/migrate.ts';
import { ingestOptions } from '../../support/ingest-options.ts';

const [file = '', folder = '', port = '', QUEUE_URL = '', keys = '', homes = '1'] = process.argv.slice(2);
const scriptSchema = z.object({ script: z.string(), compatibilityDate: z.string() });
const script = scriptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const worker = new Miniflare(ingestOptions(script, folder, Number(port), { QUEUE_URL }, Number(homes)));
await worker.ready;
const db = await worker.getD1Database('PLANTS_DB');
for (const home of homeNames(Number(homes)))
  await migrate(await worker.getD1Database(home), 'migrations/plants');
const add = db.prepare(
  "INSERT OR IGNORE INTO bridge_keys (bridge_id, key, plant_group, created_at) VALUES (?1, ?2, '+', ?3)",
);
const keysSchema = z.record(z.string(), z.string());
for (const [id, key] of Object.entries(keysSchema.parse(JSON.parse(keys)))) {
  await add.bind(id, key, Date.now()).run();
}
console.log('ready');
