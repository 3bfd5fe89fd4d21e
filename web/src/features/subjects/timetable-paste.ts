import { subjectSchema, type Subject } from '#contract/subjects';
import { asciiText, findColumns, oneLine, parsePaste, type Synonyms } from '../../lib/paste-table.ts';

type Field = keyof Subject | 'section';

const synonyms: Synonyms<Field> = {
  id: [
    '학수번호',
    '과목코드',
    '과목번호',
    '교과목코드',
    '교과목번호',
    '학정번호',
    '강좌번호',
    '코드',
    'id',
    'code',
  ],
  section: ['분반', '분반번호', 'section'],
  name: ['과목명', '교과목명', '교과목', '강좌명', 'name', 'subject'],
  year: ['학년', '대상학년', '개설학년', '이수학년', 'year', 'grade'],
  type: ['이수구분', '구분', '이수', '이수영역', 'type'],
  score: ['학점', '학점수', 'score', 'credit', 'credits'],
  prof: ['교수', '담당교수', '교수명', '담당교원', '교수님', '교강사', 'prof', 'professor'],
  time: ['강의시간', '시간', '수업시간', '요일시간', '강의요일', '요일/시간', 'time'],
  classroom: ['강의실', '장소', '강의장소', '수업장소', 'classroom', 'room'],
  etc: ['비고', '기타', '참고', 'etc', 'note', 'remarks'],
};

export const fieldLabels: Record<Field, string> = {
  id: '학수번호',
  section: '분반',
  name: '과목명',
  year: '학년',
  type: '이수구분',
  score: '학점',
  prof: '교수',
  time: '강의시간',
  classroom: '강의실',
  etc: '비고',
};

/** A row that cannot be stored: its number from 1 below the header, its text, and the reason. */
export type BadRow = { row: number; text: string; reason: string };

export type PastedTimetable = {
  /** Why nothing could be read. */
  problem?: string;
  /** Which column was recognised as which field: field and label. */
  columns: { field: Field; label: string }[];
  /** Labels of ignored columns. */
  ignored: string[];
  subjects: Subject[];
  bad: BadRow[];
};

const SUBJECTS_MAX = 5000;
const HEADER_WITHIN = 5;
const nothing = { columns: [], ignored: [], subjects: [], bad: [] };

/** @param isGraduate an empty grade then means the graduate level */
export function readTimetable(text: string, isGraduate: boolean): PastedTimetable {
  const table = parsePaste(text);
  if (table.length === 0) return { ...nothing, problem: '붙여 넣은 내용이 없습니다.' };
  const headerAt = findHeader(table);
  const header = table[headerAt] ?? [];
  const at = findColumns(header, synonyms);
  const columns = header.flatMap((label, column) => {
    const field = fieldAt(at, column);
    return field === undefined ? [] : [{ field, label: oneLine(label) }];
  });
  const ignored = header
    .filter((label, column) => label !== '' && fieldAt(at, column) === undefined)
    .map(oneLine);
  const read = { ...nothing, columns, ignored };
  const missing = (['id', 'name'] as const).filter((field) => at[field] === undefined);
  if (missing.length > 0) {
    const names = missing.map((field) => fieldLabels[field]).join(', ');
    return { ...read, problem: `머리글에서 ${names} 열을 찾지 못했습니다. 첫 줄에 열 이름이 있어야 합니다.` };
  }
  const rows = table.slice(headerAt + 1);
  if (rows.length === 0) return { ...read, problem: '머리글 아래에 과목이 없습니다.' };
  if (rows.length > SUBJECTS_MAX)
    return { ...read, problem: `한 번에 ${SUBJECTS_MAX}줄까지 등록할 수 있습니다.` };
  return { ...read, ...readRows(rows, at, isGraduate) };
}

/** There may be titles above the header, which is the row with most known columns. */
function findHeader(table: readonly (readonly string[])[]): number {
  const known = table.slice(0, HEADER_WITHIN).map((row) => Object.keys(findColumns(row, synonyms)).length);
  return known.indexOf(Math.max(...known));
}

type Columns = Partial<Record<Field, number>>;

function fieldAt(columns: Columns, column: number): Field | undefined {
  const fields = Object.keys(fieldLabels).filter((name): name is Field => name in columns);
  return fields.find((field) => columns[field] === column);
}

function readRows(
  rows: readonly (readonly string[])[],
  at: Columns,
  isGraduate: boolean,
): Pick<PastedTimetable, 'subjects' | 'bad'> {
  const subjects: Subject[] = [];
  const bad: BadRow[] = [];
  const rowOfId = new Map<string, number>();
  for (const [index, cells] of rows.entries()) {
    const row = index + 1;
    const subject = readSubject(cells, at, isGraduate);
    const earlier = typeof subject === 'string' ? undefined : rowOfId.get(subject.id);
    if (typeof subject === 'string') bad.push({ row, text: textOf(cells), reason: subject });
    else if (earlier !== undefined) {
      const reason = `학수번호 ${subject.id}이(가) ${earlier}행에도 있습니다. 분반이 다르면 분반 열도 함께 복사해 주세요.`;
      bad.push({ row, text: textOf(cells), reason });
    } else {
      rowOfId.set(subject.id, row);
      subjects.push(subject);
    }
  }
  return { subjects, bad };
}

/** The subject, or the reason why it is invalid. */
function readSubject(cells: readonly string[], at: Columns, isGraduate: boolean): Subject | string {
  const cell = (field: Field) => {
    const column = at[field];
    return column === undefined ? '' : oneLine(cells[column] ?? '');
  };
  const code = asciiText(cell('id'));
  const section = asciiText(cell('section'));
  if (code === '') return '학수번호가 비어 있습니다.';
  if (cell('name') === '') return '과목명이 비어 있습니다.';
  const year = readGrade(cell('year'), isGraduate);
  if (year === undefined) return `학년을 읽을 수 없습니다: ${cell('year') || '비어 있음'}`;
  const score = readCredits(cell('score'));
  if (score === undefined) return `학점을 읽을 수 없습니다: ${cell('score')}`;
  const checked = subjectSchema.safeParse({
    id: section === '' ? code : `${code}-${section}`,
    name: cell('name'),
    year,
    type: cell('type'),
    score,
    prof: cell('prof'),
    time: cell('time'),
    classroom: cell('classroom'),
    etc: cell('etc'),
  } satisfies Subject);
  if (checked.success) return checked.data;
  const field = checked.error.issues[0]?.path[0];
  const known = Object.entries(fieldLabels).find(([name]) => name === field)?.[1] ?? '값';
  return `${known}이(가) 너무 길거나 범위를 벗어났습니다.`;
}

/** `3`, `3학년`, `대학원`, `석사`; 0 is the graduate level. */
function readGrade(cell: string, isGraduate: boolean): number | undefined {
  const text = asciiText(cell).replace(/\s/g, '');
  if (text === '') return isGraduate ? 0 : undefined;
  if (/대학원|석사|박사|석박/.test(text)) return 0;
  const digit = /^([0-6])(?:학년)?$/.exec(text)?.[1];
  return digit === undefined ? undefined : Number(digit);
}

/** `3`, `3.0`, `3학점`, `3-2-1` and `3(2)`, where the first number is the credits; an empty cell is none. */
function readCredits(cell: string): number | undefined {
  const text = asciiText(cell);
  if (text === '') return 0;
  const number = /^(\d{1,2}(?:\.\d)?)(?:학점)?\s?(?:[-/(].*)?$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}

const textOf = (cells: readonly string[]) =>
  cells
    .filter((cell) => cell !== '')
    .map(oneLine)
    .join(' · ');
