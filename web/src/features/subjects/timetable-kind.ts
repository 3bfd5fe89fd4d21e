import { subjectSchema, type Subject } from '#contract/subjects';
import type { RowFlag, ImportField, ImportKind, ReadRow } from '../../components/import/import-kind.ts';
import { subjectParticle } from '../../lib/hangul.ts';
import { asciiText } from '../../lib/paste-table.ts';
import { cancelledField } from './merged.ts';
import { NO_NAME_OR_ROOM, parseTimetable } from './timetable.ts';

export type TimetableField = keyof Subject | 'section' | 'department' | 'cancelled' | 'status';
/** A subject and the text in the table's department column; empty without such a column. */
export type TimetableRow = { subject: Subject; department: string };
type Timetable = ImportKind<TimetableField, TimetableRow>;
type Reader = (cell: (field: TimetableField) => string) => ReadRow<TimetableField, TimetableRow>;

const fields: readonly ImportField<TimetableField>[] = [
  {
    name: 'department',
    label: '학과',
    names: [
      '학과명',
      '학과전공',
      '개설학과',
      '개설학과명',
      '개설전공',
      '주관학과',
      '학부',
      '학부과',
      'department',
    ],
    presence: 'optional',
    width: '8%',
  },
  {
    name: 'id',
    label: '학수번호',
    names: ['과목코드', '과목번호', '교과목코드', '교과목번호', '학정번호', '강좌번호', '코드', 'id', 'code'],
    presence: 'required',
    width: '9%',
  },
  { name: 'section', label: '분반', names: ['분반번호', 'section'], presence: 'optional', width: '5%' },
  {
    name: 'name',
    label: '과목명',
    names: ['교과목명', '교과목', '강좌명', 'name', 'subject'],
    presence: 'required',
    isRowHeader: true,
    width: '14%',
  },
  {
    name: 'year',
    label: '학년',
    names: ['대상학년', '개설학년', '이수학년', 'year', 'grade'],
    presence: 'optional',
    width: '6%',
  },
  {
    name: 'type',
    label: '이수구분',
    names: ['구분', '이수', '이수영역', 'type'],
    presence: 'optional',
    width: '7%',
  },
  {
    name: 'score',
    label: '학점',
    names: ['학점수', 'score', 'credit', 'credits'],
    presence: 'optional',
    align: 'end',
    width: '5%',
  },
  {
    name: 'prof',
    label: '교수',
    names: ['담당교수', '교수명', '담당교원', '교수님', '교강사', 'prof', 'professor'],
    presence: 'optional',
    width: '8%',
  },
  {
    name: 'time',
    label: '강의시간',
    names: ['시간', '수업시간', '요일시간', '강의요일', '요일/시간', 'time'],
    presence: 'expected',
    width: '11%',
  },
  {
    name: 'classroom',
    label: '강의실',
    names: ['장소', '강의장소', '수업장소', 'classroom', 'room'],
    presence: 'optional',
    width: '8%',
  },
  {
    name: 'etc',
    label: '비고',
    names: ['기타', '참고', 'etc', 'note', 'remarks'],
    presence: 'optional',
    width: '9%',
  },
  { name: 'cancelled', label: '폐강여부', names: ['폐강', '폐강구분'], presence: 'optional', width: '5%' },
  {
    name: 'status',
    label: '개설상태',
    names: ['개설여부', '개설구분', '강좌상태', '강의상태', '상태', 'status'],
    presence: 'optional',
    width: '6%',
  },
];

const kindWith = (readRow: Reader): Timetable => ({
  fields,
  rowsMax: 5000,
  unit: '행',
  readRow,
  once: {
    keyOf: ({ department, subject }) => `${department} ${subject.id}`,
    field: 'id',
    reason: (first, { subject }) =>
      `${first}행과 학수번호가 같습니다: ${subject.id}. 분반이 다르면 분반 열도 가져오고, 시간이 두 줄이면 ${first}행에 이어 적으세요`,
  },
});

const undergraduate = kindWith((cell) => readSubject(cell, undefined));
const graduate = kindWith((cell) => readSubject(cell, 0));

/** In a graduate school an empty grade means the graduate level. */
export function timetableKind(isGraduate: boolean): Timetable {
  return isGraduate ? graduate : undergraduate;
}

const labelOf = (name: TimetableField) => fields.find((field) => field.name === name)?.label ?? name;

function readSubject(
  cell: (field: TimetableField) => string,
  emptyGrade: number | undefined,
): ReadRow<TimetableField, TimetableRow> {
  const code = asciiText(cell('id'));
  const section = asciiText(cell('section'));
  const year = cell('year') === '' ? emptyGrade : readGrade(cell('year'));
  const score = readCredits(cell('score'));
  const [wrong, ...others] = [
    ...(code === '' ? [emptyCell('id')] : []),
    ...(cell('name') === '' ? [emptyCell('name')] : []),
    ...(year === undefined ? [unreadable('year', cell('year'))] : []),
    ...(score === undefined ? [unreadable('score', cell('score'))] : []),
  ];
  if (wrong) return { errors: [wrong, ...others] };
  const checked = subjectSchema.safeParse({
    id: section === '' ? code : `${code}-${section}`,
    name: cell('name'),
    year,
    type: cell('type'),
    score,
    prof: cell('prof'),
    time: cell('time'),
    classroom: cell('classroom'),
    etc: isCancelled(cell) && !cell('etc').includes('폐강') ? `${cell('etc')} 폐강`.trim() : cell('etc'),
  });
  if (checked.success) {
    const row = { subject: checked.data, department: cell('department') };
    return { row, doubts: [...doubtsOf(checked.data), ...sectionDoubt(section)] };
  }
  const field = fields.find(({ name }) => name === checked.error.issues[0]?.path[0])?.name;
  if (field === undefined) return { errors: [{ reason: '너무 길거나 범위를 벗어난 값이 있습니다' }] };
  const label = labelOf(field);
  return {
    errors: [{ field, reason: `${label}${subjectParticle(label)} 너무 길거나 범위를 벗어났습니다` }],
  };
}

/** Whether columns that are not stored say that a subject is not taught. */
const isCancelled = (cell: (field: TimetableField) => string) =>
  /^(?:y|o|1|true|예|폐강)/i.test(cell('cancelled')) ||
  /^(?:폐강|미개설|취소|n|x|0|false|아니오|cancel)/i.test(cell('status'));

function doubtsOf(subject: Subject): RowFlag<TimetableField>[] {
  const cancelled = cancelledField(subject);
  if (cancelled) return [{ field: cancelled, reason: '폐강된 과목이라 체크하지 않았습니다' }];
  const { slots, unread } = parseTimetable(subject.time);
  if (unread.length === 0 || (slots.length === 0 && NO_NAME_OR_ROOM.test(subject.time))) return [];
  const reason = '주간 시간표에 넣을 수 없습니다. ‘월 1-3교시’나 ‘월 09:00-10:15’처럼 적으세요';
  return [{ field: 'time', reason }];
}

/** Excel turns the section 1-2 into the date 2026-01-02. */
function sectionDoubt(section: string): RowFlag<TimetableField>[] {
  const [, month, day] = /^20\d\d[-./](\d{1,2})[-./](\d{1,2})\.?$/.exec(section) ?? [];
  const repair = `${Number(month)}-${Number(day)}`;
  return month === undefined
    ? []
    : [{ field: 'section', reason: '엑셀이 날짜로 바꾼 분반으로 보입니다', repair }];
}

function emptyCell(field: TimetableField): RowFlag<TimetableField> {
  const label = labelOf(field);
  return { field, reason: `${label}${subjectParticle(label)} 비어 있습니다` };
}

function unreadable(field: TimetableField, text: string): RowFlag<TimetableField> {
  return { field, reason: `${labelOf(field)} 값을 읽을 수 없습니다: ${text || '빈 칸'}` };
}

/** `3`, `3학년`, `대학원`, `석사`; 0 is the graduate level. */
function readGrade(cell: string): number | undefined {
  const text = asciiText(cell).replace(/\s/g, '');
  if (/대학원|석사|박사|석박/.test(text)) return 0;
  const digit = /^([0-6])(?:학년)?$/.exec(text)?.[1];
  return digit === undefined ? undefined : Number(digit);
}

/** Credits in `3`, `3.0`, `3학점`, `3-2-1` and `3(2)`: the first number. An empty cell is 0. */
function readCredits(cell: string): number | undefined {
  const text = asciiText(cell);
  if (text === '') return 0;
  const number = /^(\d{1,2}(?:\.\d)?)(?:학점)?\s?(?:[-/(].*)?$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}
