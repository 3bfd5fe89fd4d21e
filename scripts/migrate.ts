import type { D1Database } from '@cloudflare/workers-types';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Applies the pending migrations, each in one transaction, and records them in the table that `wrangler d1 migrations`
 * uses, so that either can continue after the other.
 * @returns names of the applied migrations
 * @throws Error naming the migration that failed; the ones before it stay applied
 */
export async function migrate(db: D1Database, folder: string): Promise<string[]> {
  await db.exec(
    'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
  );
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  for (const name of names.sort()) {
    const statements = readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint');
    const book = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name);
    try {
      await db.batch([...statements.map((statement) => db.prepare(statement)), book]);
    } catch (error) {
      throw new Error(
        `migration ${name} failed, nothing of it was kept: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
    }
  }
  return names;
}
