import type { Department } from '#contract/subjects';
import { termIn, textsOf, type FileTitles } from '../../components/import/file-titles.ts';
import { asciiText, labelKey, oneLine, type PastedTable } from '../../lib/paste-table.ts';
import type { FoundColumns } from '../../components/import/columns.ts';
import type { CheckedRow } from '../../components/import/import-kind.ts';
import {
  DEPARTMENTS,
  departmentLabels,
  isGraduate,
  semesterOptions,
  type SubjectTerm,
  type TimetableField,
  type TimetableRow,
} from './labels.ts';
import { NOT_TAUGHT } from './merged.ts';
import {
  clock,
  clockSpan,
  clockText,
  day,
  DAY_NAMES,
  parseTimetable,
  periodOf,
  PERIODS,
  periodStart,
  plainText,
  readClock,
} from './timetable.ts';

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
  if (year === undefined || semester === undefined || Math.max(year, semester) === -1) return [];
  return [
    ...new Set(
      rows.map((row) => {
        const term = asciiText(row[semester] ?? '').replace(/학기$/, '');
        const years = asciiText(row[year] ?? '');
        return term === '' ? years : `${years === '' ? '' : `${years.slice(0, 4)}-`}${term}학기`;
      }),
    ),
  ];
}

type Parts = {
  /** The lines of each part; `''` is the name without a department column and without title rows. */
  lines: Map<string, number[]>;
  /** The parts of other departments. */
  others: [string, number[]][];
  /** The lines below a title such as `폐강 과목`. */
  cancelled: number[];
  /** The titles between the rows, and the departments that the column or the titles name. */
  titles: string[];
  departments: string[];
};

/**
 * Divides a table by its department column or by departments' names above their subjects, and by other titles
 * between the rows: `1학년`, `야간`.
 */
export function partsOf(
  table: PastedTable,
  { headerAt, columns }: Pick<FoundColumns<TimetableField>, 'headerAt' | 'columns'>,
  rows: readonly CheckedRow<TimetableField, TimetableRow>[],
  department: Department,
): Parts {
  const hasColumn = columns.some(({ field }) => field === 'department');
  const above = table.slice(0, Math.max(0, headerAt)).map((row) => row.filter(Boolean).join(' '));
  const isOfGraduates = above.some((text) => text.includes('대학원'));
  const isDepartment = (text: string) => !hasColumn && namesIn(text).length > 0;
  let [name, title] = [above.findLast(isDepartment) ?? '', ''];
  const [lines, titles, nameOf] = [new Map<string, number[]>(), new Set<string>(), new Map<string, string>()];
  let last = '';
  for (const checked of rows) {
    const own = titleOf(table[headerAt + checked.line] ?? [], checked);
    if (own !== undefined) {
      last = own;
      title = isDepartment(own) ? '' : own;
      if (title === '') name = `${isOfGraduates && !own.includes('대학원') ? '대학원 ' : ''}${own}`;
    }
    if (!checked.row) continue;
    if (last !== '') titles.add(last);
    // In a pasted table, only the first row of merged cells has their text.
    name = checked.row.department || name;
    const part = [name, title].filter((text) => text !== '').join(' · ');
    nameOf.set(part, name);
    lines.set(part, [...(lines.get(part) ?? []), checked.line]);
  }
  if (!hasColumn && titles.size === 0) lines.clear();
  if (lines.size === 0) return { lines, others: [], cancelled: [], titles: [], departments: [] };
  const departments = [...new Set(nameOf.values())].filter((each) =>
    hasColumn ? each !== '' : isDepartment(each),
  );
  const strange = new Set(departments.filter((each) => !saysDepartment(each, department)));
  const others =
    departments.length < 2 ? [] : [...lines].filter(([part]) => strange.has(nameOf.get(part) ?? ''));
  const cancelled = [...lines].flatMap(([part, each]) => (NOT_TAUGHT.test(part) ? each : []));
  return { lines, others, cancelled, titles: [...titles], departments };
}

/** A row with a text in one of these fields continues the row above it. */
const LATE_FIELDS = ['prof', 'time', 'classroom', 'etc'] as const;
const TITLE_TEXTS_MAX = 4;

/** The title in a row that is no subject: its only text, or a department beside few others. */
function titleOf(
  texts: readonly string[],
  { row, cells }: CheckedRow<TimetableField, TimetableRow>,
): string | undefined {
  const own = [...new Set(texts.filter((text) => /\p{L}/u.test(text)))];
  const isLate = LATE_FIELDS.some((field) => (cells[field] ?? '') !== '');
  if (texts.filter((text) => text !== '').length === own.length && own.length === 1)
    return row || isLate ? undefined : own[0];
  if (isLate || /\d/.test(cells.id ?? '') || own.length > TITLE_TEXTS_MAX) return undefined;
  return own.find((text) => namesIn(text).length > 0);
}

/** The labels of columns that have class times but are not read as the time. */
export const unreadTimes = (
  table: PastedTable,
  { headerAt, columns }: Pick<FoundColumns<TimetableField>, 'headerAt' | 'columns'>,
): string[] =>
  columns.flatMap(({ at, label, field }) =>
    field === undefined && table.slice(headerAt + 1).some((row) => isTime(row[at] ?? '')) ? [label] : [],
  );

function isTime(cell: string): boolean {
  const { slots, unread } = parseTimetable(cell);
  return slots.length > 0 && unread.length === 0;
}

/** The term or department in a file if the user chose another; `department` only if it is in DEPARTMENTS. */
type Said = { term?: SubjectTerm; words?: string; name?: string; department?: Department | undefined };

/** @param column values of the table's department column, which are more reliable than a title */
export function otherTimetable(
  chosen: SubjectTerm & { department: Department },
  words: FileTitles,
  column: readonly string[],
): Said | undefined {
  const texts = textsOf(words);
  const term = texts
    .map((text) => termOf(text, chosen.year))
    .find((each) => each && (each.year !== chosen.year || each.semester !== chosen.semester));
  const said = (column.length === 0 ? texts : column).join(' / ');
  const [name] = column.length === 0 ? namesIn(said) : column;
  const isOther = name !== undefined && !saysDepartment(said, chosen.department);
  const other = term || isOther ? undefined : otherTermWords(chosen, texts.join(' '));
  if (!term && !isOther && other === undefined) return undefined;
  const department = DEPARTMENTS.find((each) => saysDepartment(said, each));
  return {
    ...(term && { term: { year: term.year, semester: term.semester } }),
    ...(other !== undefined && { words: other }),
    ...(isOther && { name: department ? departmentLabels[department] : name, department }),
  };
}

/** The term that a text names, in the given year if the text names none: `1학기 강의시간표`. */
function termOf(text: string, year: number): ReturnType<typeof termIn> {
  const words = text.split(/[\s()_·]+/);
  const rests = words.map((_, at) => termIn(`${year} ${words.slice(at).join(' ')}`));
  return termIn(text) ?? rests.find((found) => found && /(?:학기|수업)$/.test(found.part));
}

/** A year that is no date's, or an English season such as `Fall`, if the text names only others than the chosen. */
function otherTermWords({ year, semester }: SubjectTerm, text: string): string | undefined {
  const seasons = semesterOptions.map(({ value }) => value).join('|');
  const [years, terms] = [YEAR_ALONE, new RegExp(`\\b(?:${seasons})\\b`, 'giu')].map((each) =>
    text.match(each),
  );
  const isOtherYear = years && !years.includes(`${year}`);
  const isOtherTerm = terms && !terms.some((each) => each.toLowerCase() === semester);
  return isOtherYear ? years[0] : isOtherTerm ? terms[0] : undefined;
}

const YEAR_ALONE = /(?<![\d./-])20[2-4]\d(?!\d|\s?[-./]\s?\d|\s?년\s?\d{1,2}\s?월)/g;

/** The times of periods that a table tells: one in words that differs from PERIODS, and the first that differs. */
export type OtherPeriods = {
  starts: Map<number, number>;
  ends: Map<number, number>;
  words: string;
  first: number;
};

const clocks = `[ :=([]{0,3}(${clock})(?:\\s?[-~]\\s?(${clock}))?`;
/** `2교시 10:30~11:45`, `월2(10:30~11:45)`. */
const periodTimes = new RegExp(
  `(?:(?<!\\d|\\p{L}\\s?|(?:^|[^:\\d])\\d{1,2}\\s?[~,-]\\s?)(?<one>\\d{1,2})\\s?교시|${day}\\s?(?<list>\\d{1,2}(?:\\s?[-~,]\\s?\\d{1,2}){0,14})(?:\\s?교시)?(?=\\s?[([]))${clocks}`,
  'giu',
);

/** Finds times of periods in the rows, beside the period's number or below, or the length of a class: `75분`. */
export function otherPeriods(rows: readonly (readonly string[])[]): OtherPeriods | undefined {
  const found: OtherPeriods = { starts: new Map(), ends: new Map(), words: '', first: Infinity };
  const texts = rows.flatMap((row, at) => [
    row.join(' '),
    ...row.map((cell, column) =>
      /^\d{1,2}교시$/.test(cell) ? `${cell} ${rows[at + 1]?.[column] ?? ''}` : '',
    ),
  ]);
  for (const match of plainText(texts.map(oneLine).join('\n')).matchAll(periodTimes)) {
    const [, , , from = '', to = ''] = match;
    const numbers = (match.groups?.['one'] ?? match.groups?.['list'] ?? '').split(/[-~,]/).map(Number);
    const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
    const start = readClock(from);
    const span = to === '' ? { from: start.minutes, to: 0 } : clockSpan(start, readClock(to));
    if (!span) continue;
    found.starts.set(first, span.from);
    if (to !== '') found.ends.set(last, span.to);
    const isOther = span.from !== periodStart(first) || span.to > periodStart(last) + PERIODS.length;
    const words = [span.from, ...(to === '' ? [] : [span.to])].map(clockText).join('-');
    if (!isOther || first > found.first) continue;
    found.words = `${first}교시 ${words}`;
    found.first = first;
  }
  const titles = rows.filter((row) => row.filter(Boolean).length === 1).map((row) => row.join(''));
  const [length] = titles.flatMap((title) => LONG_CLASS.exec(title) ?? []);
  if (length !== undefined && found.words === '') return { ...found, words: length, first: 1 };
  return found.words === '' ? undefined : found;
}

/** A class of more than an hour: `75분`. */
const LONG_CLASS = /(?<!\d)(?:6[1-9]|[7-9]\d|1\d\d)\s?분/;

/**
 * A time with the clock times of its periods; undefined if it has no periods or only early ones, and without `clocks` if the table
 * does not tell the times of all its periods.
 */
export function withOtherPeriods(
  time: string,
  { starts, ends, first }: OtherPeriods,
): { clocks?: string } | undefined {
  const { segments, slots, unread } = parseTimetable(time);
  const isOfPeriods = segments.map(
    ({ kind, text }, at) =>
      kind === 'meeting' && !/:|(?<!교)시/.test(text) && segments[at + 1]?.kind !== 'clock',
  );
  const isBefore = slots.every(({ to }) => periodOf(to) < first);
  if (!isOfPeriods.includes(true) || isBefore) return undefined;
  const isWhole =
    unread.length === 0 && segments.every(({ kind }, at) => kind !== 'meeting' || isOfPeriods[at]);
  const texts = slots.map(({ day: at, from, to, room, weeks }) => {
    const [start, end] = [starts.get(periodOf(from)), ends.get(periodOf(to) - 1)];
    if (start === undefined || end === undefined) return undefined;
    const places = [room, weeks && `(${weeks})`].filter((text) => text !== undefined);
    return [`${DAY_NAMES[at] ?? ''} ${clockText(start)}-${clockText(end)}`, ...places].join(' ');
  });
  return isWhole && !texts.includes(undefined) ? { clocks: texts.join(', ') } : {};
}
