import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import * as z from 'zod';

const FOLDERS = ['migrations', 'migrations/plants'];
const triggerSchema = z.object({ name: z.string(), tbl_name: z.string(), sql: z.string() });

/** `AFTER UPDATE` of `CREATE TRIGGER name AFTER UPDATE OF a, b ON table …`. */
const momentOf = (sql: string) => /\b(BEFORE|AFTER)\s+(INSERT|UPDATE|DELETE)\b/.exec(sql)?.[0] ?? '';

/** A row for each trigger that a folder's migrations leave. */
function rowsOf(folder: string): string[] {
  const migrations = globSync(`${folder}/*.sql`).sort();
  const db = new DatabaseSync(':memory:');
  for (const file of migrations) db.exec(readFileSync(file, 'utf8'));
  const triggers = z
    .array(triggerSchema)
    .parse(
      db
        .prepare(
          "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY tbl_name, name",
        )
        .all(),
    );
  return triggers.map(({ name, tbl_name, sql }) => {
    // The last migration that creates it: the one in force.
    const file =
      migrations.findLast((each) => readFileSync(each, 'utf8').includes(`CREATE TRIGGER \`${name}\``)) ?? '';
    return `| \`${tbl_name}\` | ${momentOf(sql)} | \`${name}\` | [${basename(file, '.sql')}](../${file}) |`;
  });
}

function triggersPage(): Promise<string> {
  const rows = FOLDERS.flatMap(rowsOf);
  const page = `# Triggers

What SQLite does by itself when a row changes, and the migration that holds the version in force. A trigger is changed by
a new migration that drops it and creates it again under its name. This page is made by
\`npx vitest run --project unit tests/deploy/triggers.test.ts -u\`.

| table | when | trigger | migration |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  return format(page, { parser: 'markdown' });
}

test('db/triggers.md lists every trigger in force and its migration', async () => {
  await expect(await triggersPage()).toMatchFileSnapshot('../../db/triggers.md');
});
