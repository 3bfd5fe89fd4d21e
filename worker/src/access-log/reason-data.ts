import { maskPeople, spellingsOf } from '#contract/access-log';
import type { Database } from '#db/client';
import { dues } from '#db/ledger';
import { students, users } from '#db/schema';
import { sql, type SQLWrapper } from 'drizzle-orm';
import { union } from 'drizzle-orm/sqlite-core';

/** The reason for an export as the log may hold it: without the names, numbers and addresses of anybody stored here. */
export async function withoutPeople(db: Database, reason: string): Promise<string> {
  const spellings = sql`(SELECT value FROM json_each(${JSON.stringify(spellingsOf(reason))}))`;
  const tight = (word: SQLWrapper) =>
    sql`lower(replace(replace(replace(${word}, ' ', ''), char(160), ''), char(12288), ''))`;
  const isSaid = (word: SQLWrapper) =>
    sql`${word} <> '' AND EXISTS (SELECT 1 FROM ${spellings} WHERE instr(lower(value), ${tight(word)}) > 0)`;
  const wordsOf = (table: typeof students | typeof users | typeof dues) =>
    db.select({ word: table.name }).from(table).where(isSaid(table.name));
  const found = await union(
    wordsOf(students),
    wordsOf(users),
    wordsOf(dues),
    db.select({ word: students.id }).from(students).where(isSaid(students.id)),
  );
  return maskPeople(
    reason,
    found.map(({ word }) => word),
  );
}
