import * as z from 'zod';
import { printable } from '#contract/printable-text';
import { personalData, type PersonalTable, type PersonSql } from '#db/personal-data';
import type { DeploymentTarget } from '../deployment-name.ts';
import { applyChange, quoteSqlText } from './operator-d1.ts';

const foundSchema = z.array(
  z.object({ kind: z.enum(['user', 'student']), id: z.string(), name: z.string(), email: z.string() }),
);
export type FoundPerson = { found: z.output<typeof foundSchema>; sql: PersonSql };

/**
 * Finds a person's user and student by email address or student number. The user and the student are the same
 * person if they have the same address, or if the user has verified the student number.
 * @throws Error if nobody is found, or more than one person
 */
export async function findPerson(word: string, where: DeploymentTarget): Promise<FoundPerson> {
  const isWord = `lower(email) = lower(${quoteSqlText(word)})`;
  const read = `
    WITH listed AS (SELECT id, email FROM students WHERE id = ${quoteSqlText(word)} OR ${isWord}),
      account AS (SELECT * FROM users WHERE ${isWord} OR (univ_id = ${quoteSqlText(word)} AND univ_id_verified_at IS NOT NULL)
        OR lower(email) IN (SELECT lower(email) FROM listed WHERE email <> '')),
      student AS (SELECT id FROM listed
        UNION SELECT univ_id FROM account WHERE univ_id_verified_at IS NOT NULL)
    SELECT 'user' AS kind, CAST(id AS TEXT) AS id, name, email FROM account
    UNION ALL SELECT 'student', id, name, email FROM students WHERE id IN (SELECT id FROM student)`;
  const found = foundSchema.parse(await applyChange({ write: [], read }, where));
  if (found.length === 0) throw new Error('nobody has that address or number: check the spelling');
  const ids = (kind: string) => found.filter((row) => row.kind === kind).map(({ id }) => id);
  if (ids('user').length > 1 || ids('student').length > 1) {
    const list = found.map(({ kind, id }) => `${kind} ${printable(id)}`).join(', ');
    throw new Error(`several people match: ${list}. Give an address or number that only one of them has`);
  }
  const texts = (values: string[]) => `(${[...new Set(values)].map(quoteSqlText).join(', ')})`;
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

const holdings: [table: string, holding: PersonalTable][] = Object.entries(personalData);

/** A row that contains the person's name, but may mean another person. `text` is the row's text. */
type Candidate = { table: string; id: string; mention: 'whole' | 'part'; text: string };

type Mentioned = {
  /** By table: the ids of rows that contain the person's complete number or email address. */
  sure: Record<string, string[]>;
  /** Rows that contain only the name. Another person may have that name, so an operator has to decide. */
  candidates: Candidate[];
};

const answerSchema = z.tuple([z.object({ rows: z.string() })]);
const rowsSchema = z.record(z.string(), z.array(z.tuple([z.string(), z.string()])));

/** Finds rows that mention the person but are not about the person. */
export async function findMentions({ found, sql }: FoundPerson, where: DeploymentTarget): Promise<Mentioned> {
  const filled = (values: string[]) => [...new Set(values)].filter((value) => value !== '');
  const numbers = found.filter(({ kind }) => kind === 'student').map(({ id }) => id);
  const ids = filled([...numbers, ...found.map(({ email }) => email)]);
  const names = filled(found.map(({ name }) => name));
  const wordsOf = (by: 'id' | 'name') => (by === 'id' ? ids : names);
  const places = holdings.flatMap(([table, { mentions, whose }]) =>
    mentions && wordsOf(mentions.by).length > 0 ? [{ table, whose, ...mentions }] : [],
  );
  const selects = places.map(({ table, column, by, unless = '0', whose }) => {
    const spellings = wordsOf(by).flatMap((word) => [word.normalize('NFC'), word.normalize('NFD')]);
    const holdsOne = spellings.map((word) => `instr(lower(${column}), lower(${quoteSqlText(word)})) > 0`);
    return `'${table}', (SELECT json_group_array(json_array(CAST(id AS TEXT), ${column})) FROM ${table}
      WHERE (${holdsOne.join(' OR ')}) AND NOT (${unless}) AND NOT coalesce((${whose(sql)}), 0))`;
  });
  const [{ rows }] = answerSchema.parse(
    await applyChange({ write: [], read: `SELECT json_object(${selects.join(', ')}) AS rows` }, where),
  );
  const holding = rowsSchema.parse(JSON.parse(rows));
  const mentioned: Mentioned = { sure: {}, candidates: [] };
  for (const { table, by } of places) {
    for (const [id, text] of holding[table] ?? []) {
      if (by === 'id') {
        const texts = textsIn(JSON.parse(text));
        if (texts.some((each) => mentionIn(each, ids, 'id') === 'whole'))
          (mentioned.sure[table] ??= []).push(id);
      } else {
        const mention = mentionIn(text, names, 'name');
        if (mention) mentioned.candidates.push({ table, id, mention, text });
      }
    }
  }
  return mentioned;
}

/**
 * Returns, by table, the ids of the rows that the operator has chosen.
 * @param chosen the rows, each written as `table:id`
 * @throws Error for the first chosen row that is not a candidate
 */
export function selectedMentions(
  chosen: readonly string[],
  candidates: readonly Candidate[],
): Record<string, string[]> {
  const byTable: Record<string, string[]> = {};
  for (const choice of chosen) {
    const candidate = candidates.find(({ table, id }) => choice === `${table}:${id}`);
    if (!candidate) throw new Error(`${printable(choice)} is not in the list of rows with the name`);
    (byTable[candidate.table] ??= []).push(candidate.id);
  }
  return byTable;
}

/** Makes one line of text for each candidate. */
export function mentionCandidateLines(candidates: readonly Candidate[]): string[] {
  return candidates.map(
    ({ table, id, mention, text }) =>
      `  ${table}:${printable(id)}  ${mention === 'whole' ? 'a separate word' : 'part of a longer word'}: ${printable(JSON.stringify(text))}`,
  );
}

/** How a text contains the name or id: as a word of its own, only as part of a longer word, or not at all. */
type Mention = 'whole' | 'part' | undefined;

/**
 * If one of these characters is directly before or after a match, the match is part of a longer word:
 * 202312345 does not mention 20231234, and aa@lab.test does not mention a@lab.test.
 */
const WORDS = {
  name: { before: /[\p{L}\p{N}\p{M}]$/u, behind: /^[\p{L}\p{N}\p{M}]/u },
  id: { before: /[0-9A-Za-z._%+@-]$/, behind: /^(?:[0-9A-Za-z_%+@-]|\.[0-9A-Za-z])/ },
} as const;

/** Normalizes a text, because the same letter may have different code points, as in file names from macOS. */
const plain = (text: string) => text.normalize('NFC').toLowerCase();

function mentionIn(text: string, words: readonly string[], kind: keyof typeof WORDS): Mention {
  const { before, behind } = WORDS[kind];
  const searched = plain(text);
  let found: Mention;
  for (const word of words.map(plain).filter((each) => each !== '')) {
    for (let at = searched.indexOf(word); at !== -1; at = searched.indexOf(word, at + 1)) {
      const isPart = before.test(searched.slice(0, at)) || behind.test(searched.slice(at + word.length));
      if (!isPart) return 'whole';
      found = 'part';
    }
  }
  return found;
}

/** All strings in a JSON value, with the names of fields. Numbers in it are only amounts and counts. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name].concat(textsIn(part)));
}
