import type { SubjectSemester } from '#contract/subjects';
import { courseSemester, seasonOf } from '#contract/terms';
import type { PastedTable } from '../../lib/paste-table.ts';
import type { InputTable } from './use-table-input.ts';

/** Texts of a file that may name the class or department: its title rows, file name and sheet name. */
export type FileTitles = { titles: PastedTable; name: string; sheet: string };

export const titlesOfFile = (
  { rows, name, sheets, sheet }: Pick<InputTable, 'rows' | 'name' | 'sheets' | 'sheet'>,
  headerAt: number,
): FileTitles => ({
  titles: [
    ...rows.slice(0, Math.max(0, headerAt)),
    // The titles of a web page may be in a separate table.
    sheets.slice(0, sheet).flatMap((each) => PAGE_TABLE.exec(each)?.[1] ?? []),
  ],
  name,
  sheet: sheets[sheet] ?? '',
});

/** A sheet name as page-sheets.ts writes it. */
const PAGE_TABLE = /^표 \d+: (.*)$/;

/** Titles, file name without its ending, and sheet name, without texts that are too long for a title. */
export const textsOf = ({ titles, name, sheet }: FileTitles): string[] =>
  [...titles.flat(), name.replace(/\.[a-z]{3,4}$/i, ''), sheet].filter(
    (text) => text.length <= LONGEST_TITLE,
  );

const LONGEST_TITLE = 100;

/** Matches a term, but no date, ordinal or other number: `2026-1`, `2026학년도 제1학기`, `26-1`, `2026 여름 계절학기`. */
const TERM =
  /(?<![\d-])(?:20(2[1-9]|[34]\d|50)\s*(?:학년도|년도|년)?\s*[-_./]?|(2[1-9]|[34]\d)\s*(?:학년도|년도|년|-))\s*제?\s*(?:([12])\s*(?:학기|(?![\d월]|(?:일|주차?|차|명|번|회|반|분반|교시|학년)(?![가-힣])|\s*[-./~]\s*\d))|(?:(여름|하계|하기)|겨울|동계|동기)\s*(?:계절)?\s*(?:학기|수업))/;

/** The term that a text names, and the part of the text that names it. */
export function termIn(text: string): { part: string; year: number; semester: SubjectSemester } | undefined {
  const [part, four, two, number, summer] = TERM.exec(text.replace(/_/g, ' ')) ?? [];
  if (part === undefined) return undefined;
  const season = summer === undefined ? 'winter' : 'summer';
  const semester = number === undefined ? season : seasonOf(courseSemester(number === '1' ? 1 : 2));
  return { part, year: Number(`20${four ?? two ?? ''}`), semester };
}
