import type { ClassKey, RosterPreview } from '#contract/students';
import type { SubjectSemester } from '#contract/subjects';
import type { Term } from '#contract/terms';
import { findColumns, type FoundColumns } from '../../../components/import/columns.ts';
import { termIn, textsOf, titlesOfFile, type FileTitles } from '../../../components/import/file-titles.ts';
import type { InputTable } from '../../../components/import/use-table-input.ts';
import { labelKey, type PastedTable } from '../../../lib/paste-table.ts';
import {
  isNoStudent,
  LEFT_CLASS,
  remarkOfName,
  saysLeft,
  standingOf,
} from '../../../lib/student-standing.ts';
import { rosterKind, type RosterField } from './roster-kind.ts';

/* Checks by a roster's file and students whether the roster belongs to the chosen class. */

/** Headers of a column that names the class. */
const SECTION = /^(?:section|course|class|분반명?|강좌명?|강의명?|과목명?|교과목명?)$/i;

/** The titles of a roster's file, and the section and term if they are the same in all of its rows. */
export function rosterFileTitles(table: Pick<InputTable, 'rows' | 'name' | 'sheets' | 'sheet'>): FileTitles {
  const { rows } = table;
  const { headerAt, columns } = findColumns(rows, rosterKind);
  const header = columns.map(({ label }) => label);
  const section = header.findIndex((label) => SECTION.test(label));
  const listed = rows.slice(headerAt + 1);
  const only = (texts: readonly string[]) => (new Set(texts).size === 1 ? texts.slice(0, 1) : []);
  const terms = listed.map(termColumns(header));
  const words = titlesOfFile(table, headerAt);
  return {
    ...words,
    titles: [...words.titles, only(listed.flatMap((row) => row[section] || [])), only(terms.filter(Boolean))],
  };
}

const YEAR = /^(?:개설|수업|운영)?(?:연도|년도|학년도)$|^(?:academic\s?)?year$/i;
const SEMESTER = /^(?:개설|수업|운영|년도)?학기$|^(?:semester|term)$/i;

/** Returns a function that reads the term in a row's columns: `2026 1학기`; empty without such columns. */
function termColumns(header: readonly string[]): (row: readonly string[]) => string {
  const [year, semester] = [YEAR, SEMESTER].map((label) =>
    header.findIndex((each) => label.test(each.trim())),
  );
  return (row) => {
    const [inYear = '', inSemester = ''] = [row[year ?? -1], row[semester ?? -1]];
    return termIn(inSemester)?.part ?? (/^\d{4}/.test(inYear) ? `${inYear} ${inSemester}`.trim() : '');
  };
}

/** The class that a text describes; often the text has only the term or only the subject. */
type Said = { term?: Term; subject?: string; isKnown?: boolean };

const LABEL = /(?:교?과목|강좌|강의|수업)명?|(?:course|subject)(?:\s+(?:name|title))?/;
const LABEL_CELL = new RegExp(`^(?:${LABEL.source})\\s*[:：]?$`, 'i');
const LABELLED = new RegExp(`(?:^|[\\s(\\[])(?:${LABEL.source})\\s*[:：]\\s*(\\S.*)$`, 'i');
/** Start of the next label or column in a line. */
const NEXT = /\s{2,}|\s[/|·]\s|\s+[^\s:：]+\s*[:：]/;
/** Words that show that a title belongs to a roster. */
const ROSTER =
  /출석부?|명렬표?|명단|명부|수강\s*(?:신청자?|학생|생|자)?|학생\s*(?:목록|현황|리스트)|\b(?:roster|attendance|students?|list)\b/gi;
/** Words in a title that do not belong to a subject: lecturer, section, or copy of the file. */
const OTHER_WORDS =
  /^(?:\S*(?:대학교?|대학원|학부|학과|캠퍼스|교수님?|분반)|\d+반|[a-z]{2,5}\d[\w-]*|[\d.,~:/-]+[년월일명]?|final|copy|export|sheet\d*|시트\d*|v\d+|최종본?|수정본?|사본|복사본|제출용?|전체|학년도|\d*학기|\d*학년|학생|목록|현황|과목|강의|강좌|담당|\S*취소자?|응답|설문지?|정보|조사|numbers|forms?|responses?)$/i;

/** The classes named in the file; classes in title rows first. */
function saidIn(words: FileTitles, subjects: readonly string[]): Said[] {
  const labelled = words.titles.flatMap((row) => row.flatMap((cell, at) => labelledSubject(row, cell, at)));
  return [
    ...labelled.map((subject) => ({ subject })),
    ...textsOf(words).map((text) => saidInText(text, subjects)),
  ];
}

function labelledSubject(row: readonly string[], cell: string, at: number): string[] {
  const text = LABEL_CELL.test(cell)
    ? row.slice(at + 1).find((next) => next !== '')
    : LABELLED.exec(cell)?.[1]?.split(NEXT)[0];
  const subject = wordsOfSubject(text ?? '');
  return subject === '' ? [] : [subject];
}

const SEMESTERS: Partial<Record<SubjectSemester, Term['semester']>> = { spring: 1, fall: 2 };

function saidInText(text: string, subjects: readonly string[]): Said {
  const spaced = text.replace(/_/g, ' ');
  const found = termIn(spaced);
  const semester = found && SEMESTERS[found.semester];
  const term: Term | undefined = semester && { year: found.year, semester };
  const rest = found ? spaced.replace(found.part, ' ') : spaced;
  const subject = wordsOfSubject(rest.replace(ROSTER, ' '));
  // A subject's name may contain a word of `ROSTER`, so the text with these words is searched as well.
  const known = longestIn(labelKey(subject), subjects) ?? longestIn(labelKey(rest), subjects);
  if (known !== undefined) return { ...(term && { term }), subject: known, isKnown: true };
  const isTitle = (term || rest.search(ROSTER) !== -1) && !/[:：]/.test(text);
  return { ...(term && { term }), ...(isTitle && /\p{L}{2}/u.test(subject) && { subject }) };
}

const wordsOfSubject = (text: string) =>
  text
    .split(/[\s()[\]{}<>「」『』【】]+/)
    .map((word) => word.replace(/^[-.,·:]+|[-.,·:]+$/g, ''))
    .filter((word) => word !== '' && !OTHER_WORDS.test(word))
    .join(' ');

function longestIn(plain: string, subjects: readonly string[]): string | undefined {
  const found = subjects.filter((subject) => {
    const label = labelKey(subject);
    return label.length > 1 && plain.includes(label);
  });
  return found.toSorted((a, b) => labelKey(b).length - labelKey(a).length)[0];
}

/** The subject and the term, as far as the file's words are clear. */
export function classOfFile(words: FileTitles, subjects: readonly string[]): Pick<Said, 'term' | 'subject'> {
  const said = saidIn(words, subjects);
  const term = said.find((each) => each.term)?.term;
  const subject = said.find((each) => each.subject !== undefined)?.subject;
  return { ...(term && { term }), ...(subject !== undefined && { subject }) };
}

/** The class that the file names, if it is not the chosen class. A missing part is as in the chosen class. */
export function classNamedByFile(
  course: ClassKey,
  words: FileTitles,
  subjects: readonly string[],
): ClassKey | undefined {
  const said = saidIn(words, [...subjects, course.subject]);
  const chosen = labelKey(course.subject);
  const isOther = ({ subject = course.subject, isKnown }: Said) => {
    const key = labelKey(subject);
    return isKnown ? key !== chosen : !key.includes(chosen) && !chosen.includes(key);
  };
  // An unknown subject counts only if no text before it names a subject: later texts may be other words.
  const first = said.find(({ subject }) => subject !== undefined);
  const subject = [...(first ? [first] : []), ...said.filter(({ isKnown }) => isKnown)].find(
    isOther,
  )?.subject;
  const term = said.find(
    (each) => each.term && (each.term.year !== course.year || each.term.semester !== course.semester),
  )?.term;
  return subject === undefined && !term
    ? undefined
    : { ...course, ...term, ...(subject !== undefined && { subject }) };
}

const SUBJECT = /^(?:강좌명?|강의명?|과목명?|교과목명?|course|subject)$/i;

/** Statuses of students, which their own column may have. */
const STATUS = /재학|휴학|자퇴|제적|퇴학|복학|졸업|수료|유예/;
/** Numbers, telephones and addresses, which most cells are, contain no such word. */
const NO_WORD = /^[\d\s.+-]*$|^[^\s@]+@[^\s@]+$/;
const isGone = (text: string) => standingOf(text) === 'gone';

/** Why a row does not belong to the class, and the file's words that say so. */
export type OutOfClass = { word: string; reason: string };

/**
 * By line, the rows that do not belong to the class: a student who has left or waits, a teacher, or another
 * subject or term, while other rows have the chosen subject or term.
 */
export function rowsNotOfClass(
  course: ClassKey,
  rows: PastedTable,
  { headerAt, columns }: Pick<FoundColumns<RosterField>, 'headerAt' | 'columns'>,
): Map<number, OutOfClass> {
  const header = columns.map(({ label }) => label);
  const statusAt = columns.findIndex(({ field }) => field === 'type');
  const column = header.findIndex((label) => SUBJECT.test(label));
  const listed = rows.slice(headerAt + 1);
  const subjectOf = (row: readonly string[]) => row[column] ?? '';
  const textOfTerm = termColumns(header);
  const isOther = (row: readonly string[]) =>
    subjectOf(row) !== '' && !labelKey(subjectOf(row)).includes(labelKey(course.subject));
  const isOtherTerm = (row: readonly string[]) => {
    const term = termIn(textOfTerm(row));
    return term !== undefined && (term.year !== course.year || SEMESTERS[term.semester] !== course.semester);
  };
  const isMark = (cell: string, column: number) =>
    LEFT_CLASS.test(cell) ||
    isNoStudent(header[column] ?? '', cell) ||
    ((column !== statusAt || !STATUS.test(cell)) && (isGone(cell) || isGone(remarkOfName(cell))));
  // Among thousands of rows, a column has the same few words again and again.
  const known = header.map(() => new Map<string, boolean>());
  const isKnownMark = (cell: string, column: number): boolean => {
    if (NO_WORD.test(cell)) return false;
    const found = known[column]?.get(cell) ?? isMark(cell, column);
    known[column]?.set(cell, found);
    return found;
  };
  const leftColumns = header.flatMap((label, column) =>
    ['o', 'no', 'w'].some((cell) => saysLeft(label, cell)) ? [{ label, column }] : [],
  );
  const isMixed = listed.some((row) => subjectOf(row) !== '' && !isOther(row));
  const isMixedTerm = listed.some((row) => textOfTerm(row) !== '' && !isOtherTerm(row));
  /** A line of its own such as `※ 수강취소자`: the rows below have left. */
  let leftBelow = rows
    .slice(0, Math.max(0, headerAt))
    .flat()
    .find((title) => LIST_OF_LEFT.test(title));
  const outOfClass = (row: readonly string[]): OutOfClass | undefined => {
    const [only = '', ...others] = row.filter((cell) => cell !== '');
    if (others.length === 0) leftBelow = isOfOthers(only) ? only : undefined;
    else if (leftBelow !== undefined) return { word: leftBelow, reason: `‘${leftBelow}’ 아래에 있어` };
    const left = leftColumns.find(({ label, column }) => saysLeft(label, row[column] ?? ''));
    const mark = row.find(isKnownMark) ?? (left && `${left.label} ${row[left.column]}`);
    if (mark !== undefined) return { word: mark, reason: `‘${mark}’ 표시가 있어` };
    const [subject, term] = [subjectOf(row), textOfTerm(row)];
    if (isMixed && isOther(row)) return { word: subject, reason: `다른 과목(${subject})의 행이라` };
    return isMixedTerm && isOtherTerm(row)
      ? { word: term, reason: `다른 학기(${term})의 행이라` }
      : undefined;
  };
  return new Map(
    listed.flatMap((row, at): [number, OutOfClass][] => {
      const found = outOfClass(row);
      return found ? [[at + 1, found]] : [];
    }),
  );
}

/**
 * Title of a list of students who have left: `수강취소자 명단`. A list made after the last day to leave names
 * that day too, but its students are in the class: `수강철회 후 최종 명단`.
 */
const LIST_OF_LEFT = /(?:취소|철회|포기|삭제)\s?(?:자|생|학생|한\s?학생)?\s?(?:명단|목록|리스트|현황)/;

/** Whether a line such as `수강취소자` or `대기자 명단` stands above people who are not in the class. */
const isOfOthers = (title: string) =>
  standingOf(title) !== undefined || LEFT_CLASS.test(title) || isNoStudent('', title.replace(ROSTER, ''));

/** By line, the line of its own that stands above the row, such as `2분반`. */
export function titlesAbove(
  rows: PastedTable,
  { headerAt }: Pick<FoundColumns<RosterField>, 'headerAt'>,
): Map<number, string> {
  const above = new Set(rows.slice(0, Math.max(0, headerAt)).flat());
  let title: string | undefined;
  let hasRows = false;
  return new Map(
    rows.slice(headerAt + 1).flatMap((row, at): [number, string][] => {
      const [only = '', ...others] = row.filter((cell) => cell !== '');
      if (others.length > 0) hasRows = true;
      // The title of the file stands again above the next page.
      else if (hasRows && /\p{L}{2}/u.test(only)) title = above.has(only) ? undefined : only;
      return others.length > 0 && title !== undefined ? [[at + 1, title]] : [];
    }),
  );
}

/** `added`: listed students who are not in the class. `missing`: students of the class who are not listed. */
export type RosterOverlap = { listed: number; added: number; enrolled: number; missing: number };

export function rosterOverlap({ rows, missing }: Pick<RosterPreview, 'rows' | 'missing'>): RosterOverlap {
  const added = rows.filter(({ enrolment }) => enrolment === null).length;
  return {
    listed: rows.length,
    added,
    enrolled: rows.length - added + missing.length,
    missing: missing.length,
  };
}

/** Whether most students of the roster are not in the class, and most of the class are not in the roster. */
export const isDifferentClass = ({ listed, added, enrolled, missing }: RosterOverlap): boolean =>
  added * 2 > listed && missing * 2 > enrolled;
