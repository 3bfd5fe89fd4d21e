import * as z from 'zod';
import { personalData, type Holding, type PersonSql } from '#db/personal-data';
import type { Where } from '../deployment-name.ts';
import { mentionIn, textsIn } from './mentions.ts';
import { applyChange, quoted } from './operator-d1.ts';
import { visible } from '#contract/visible-text';

const holdings: [table: string, holding: Holding][] = Object.entries(personalData);

/** A row that may or may not refer to the person. `text` is the row's text. */
type Candidate = { table: string; id: string; mention: 'whole' | 'part'; text: string };

type Mentioned = {
  /** Ids, by table, of rows that contain the person's complete number or email address. */
  sure: Record<string, string[]>;
  /** Rows that contain the name, which somebody else may share; an operator has to decide. */
  candidates: Candidate[];
};

type Words = { ids: string[]; names: string[] };

const answerSchema = z.tuple([z.object({ rows: z.string() })]);
const rowsSchema = z.record(z.string(), z.array(z.tuple([z.string(), z.string()])));

/** Finds mentions of the person in rows that are not theirs anyway. */
export async function findMentioned(sql: PersonSql, { ids, names }: Words, where: Where): Promise<Mentioned> {
  const wordsOf = (by: 'id' | 'name') => (by === 'id' ? ids : names);
  const places = holdings.flatMap(([table, { mentions, whose }]) =>
    mentions && wordsOf(mentions.by).length > 0 ? [{ table, whose, ...mentions }] : [],
  );
  const selects = places.map(({ table, column, by, unless = '0', whose }) => {
    const spellings = wordsOf(by).flatMap((word) => [word.normalize('NFC'), word.normalize('NFD')]);
    const holdsOne = spellings.map((word) => `instr(lower(${column}), lower(${quoted(word)})) > 0`);
    return `'${table}', (SELECT json_group_array(json_array(CAST(id AS TEXT), ${column})) FROM ${table}
      WHERE (${holdsOne.join(' OR ')}) AND NOT (${unless}) AND NOT coalesce((${whose(sql)}), 0))`;
  });
  const [{ rows }] = answerSchema.parse(
    await applyChange({ write: [], read: `SELECT json_object(${selects.join(', ')}) AS rows` }, where),
  );
  const found = rowsSchema.parse(JSON.parse(rows));
  const mentioned: Mentioned = { sure: {}, candidates: [] };
  for (const { table, by } of places) {
    for (const [id, text] of found[table] ?? []) {
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
 * The rows that the operator has chosen, by table.
 * @param chosen each as `table:id`
 * @throws Error at the first that is not a candidate
 */
export function chosenOf(
  chosen: readonly string[],
  candidates: readonly Candidate[],
): Record<string, string[]> {
  const byTable: Record<string, string[]> = {};
  for (const choice of chosen) {
    const candidate = candidates.find(({ table, id }) => choice === `${table}:${id}`);
    if (!candidate) throw new Error(`${visible(choice)} is none of the rows that hold the name`);
    (byTable[candidate.table] ??= []).push(candidate.id);
  }
  return byTable;
}

/** One line for each row that may or may not refer to the person. */
export function candidateLines(candidates: readonly Candidate[]): string[] {
  return candidates.map(
    ({ table, id, mention, text }) =>
      `  ${table}:${visible(id)}  ${mention === 'whole' ? 'a word of its own' : 'part of a longer word'}: ${visible(JSON.stringify(text))}`,
  );
}
