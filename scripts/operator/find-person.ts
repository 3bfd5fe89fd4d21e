import * as z from 'zod';
import { visible } from '#contract/visible-text';
import type { PersonSql } from '#db/personal-data';
import type { Where } from '../deployment-name.ts';
import { findMentioned } from './mentioned-rows.ts';
import { applyChange, quoted } from './operator-d1.ts';

const foundSchema = z.array(
  z.object({ kind: z.enum(['user', 'student']), id: z.string(), name: z.string(), email: z.string() }),
);
export type Person = { found: z.output<typeof foundSchema>; sql: PersonSql };

/**
 * Finds the user and the student who are the same person: by email address, by number, and by what the product itself
 * accepts as proof, which is the roster's address or a verified number. A number that is merely claimed does not count.
 * @throws Error when there is nobody, or more than one
 */
export async function findPerson(word: string, where: Where): Promise<Person> {
  const isWord = `lower(email) = lower(${quoted(word)})`;
  const read = `
    WITH listed AS (SELECT id, email FROM students WHERE id = ${quoted(word)} OR ${isWord}),
      account AS (SELECT * FROM users WHERE ${isWord} OR (univ_id = ${quoted(word)} AND univ_id_verified_at IS NOT NULL)
        OR lower(email) IN (SELECT lower(email) FROM listed WHERE email <> '')),
      student AS (SELECT id FROM listed
        UNION SELECT univ_id FROM account WHERE univ_id_verified_at IS NOT NULL)
    SELECT 'user' AS kind, CAST(id AS TEXT) AS id, name, email FROM account
    UNION ALL SELECT 'student', id, name, email FROM students WHERE id IN (SELECT id FROM student)`;
  const found = foundSchema.parse(await applyChange({ write: [], read }, where));
  if (found.length === 0) throw new Error('nobody is stored under that address or number');
  const ids = (kind: string) => found.filter((row) => row.kind === kind).map(({ id }) => id);
  if (ids('user').length > 1 || ids('student').length > 1) {
    const list = found.map(({ kind, id }) => `${kind} ${visible(id)}`).join(', ');
    throw new Error(`this is more than one person: ${list}. Give what only one of them has`);
  }
  const texts = (values: string[]) => `(${[...new Set(values)].map(quoted).join(', ')})`;
  const filled = (values: string[]) => texts(values.filter((value) => value !== ''));
  return {
    found,
    sql: {
      users: `(${ids('user').map(Number).join(', ')})`,
      students: texts(ids('student')),
      emails: filled(found.map(({ email }) => email.toLowerCase())),
    },
  };
}

export function mentionsOf({ found, sql }: Person, where: Where) {
  const numbers = found.filter(({ kind }) => kind === 'student').map(({ id }) => id);
  const filled = (values: string[]) => [...new Set(values)].filter((value) => value !== '');
  const ids = filled([...numbers, ...found.map(({ email }) => email)]);
  return findMentioned(sql, { ids, names: filled(found.map(({ name }) => name)) }, where);
}
