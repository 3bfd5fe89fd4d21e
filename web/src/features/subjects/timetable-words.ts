import type { Department } from '#contract/subjects';
import { termIn, textsOf, type FileTitles } from '../../components/import/file-titles.ts';
import { asciiText, labelKey, type PastedTable } from '../../lib/paste-table.ts';
import { DEPARTMENTS, departmentLabels, isGraduate, type SubjectTerm } from './labels.ts';

/* Checks by the words in a timetable's file whether the file is for the chosen department and term. */

const GRADUATE_SCHOOL = /(?:일반)?대학원/g;
/** A department's name in a title. */
const NAME = /\p{L}*학[과부](?=\P{L}|강의|개설|과목|교과|수업|시간|$)/gu;
const NO_NAME = /^(?:개설|전체|전|각|모든|해당|소속|주관)?학[과부]$/;

const namesIn = (text: string) =>
  (text.match(NAME) ?? [])
    .map((name) => name.replace(/^(?:학년도|학기)/, ''))
    .filter((name) => !NO_NAME.test(name));

/** Whether a text contains the department's name: `소프트웨어대학 컴퓨터과학과(야간)`, `CS`. */
export function saysDepartment(text: string, department: Department): boolean {
  if (labelKey(text) === department) return true;
  const label = labelKey(departmentLabels[department].replace(GRADUATE_SCHOOL, ''));
  const rest = text.normalize('NFKC').replace(GRADUATE_SCHOOL, ' ');
  const words = [rest, ...rest.split(/[^\p{L}\p{N}]+/u), ...namesIn(rest)];
  return words.map(labelKey).includes(label) && text.includes('대학원') === isGraduate(department);
}

const YEAR = /^(?:개설|개강|시행)?(?:학년도|년도|연도)(?:학기)?$/;
const SEMESTER = /^(?:개설|개강|시행)?학기(?:구분|명)?$|^(?:semester|term)$/;

/** The terms that the rows name, in a year column and a semester column, or in one column: `2026-1학기`. */
export function termsInRows([header = [], ...rows]: PastedTable): string[] {
  const keys = header.map(labelKey);
  const [year, semester] = [YEAR, SEMESTER].map((label) => keys.findIndex((key) => label.test(key)));
  if (year === undefined || year === -1) return [];
  return [
    ...new Set(
      rows.map((row) => {
        const term = semester === undefined ? '' : asciiText(row[semester] ?? '').replace(/학기$/, '');
        const years = asciiText(row[year] ?? '');
        return term === '' ? years : `${years.slice(0, 4)}-${term}학기`;
      }),
    ),
  ];
}

/** The term or department in a file if the user chose another; `department` only if it is in DEPARTMENTS. */
type Said = { term?: SubjectTerm; name?: string; department?: Department | undefined };

/** @param column values of the table's department column, which are more reliable than a title */
export function otherTimetable(
  chosen: SubjectTerm & { department: Department },
  words: FileTitles,
  column: readonly string[],
): Said | undefined {
  const texts = textsOf(words);
  const term = texts
    .map(termIn)
    .find((each) => each && (each.year !== chosen.year || each.semester !== chosen.semester));
  const said = (column.length === 0 ? texts : column).join(' / ');
  const [name] = column.length === 0 ? namesIn(said) : column;
  const isOther = name !== undefined && !saysDepartment(said, chosen.department);
  if (!term && !isOther) return undefined;
  const department = DEPARTMENTS.find((each) => saysDepartment(said, each));
  return {
    ...(term && { term: { year: term.year, semester: term.semester } }),
    ...(isOther && { name: department ? departmentLabels[department] : name, department }),
  };
}
