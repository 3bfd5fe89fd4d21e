import { subjectSchema, type Subject } from '#contract/subjects';
import type { RowFlag, ImportField, ImportKind, ReadRow } from '../../components/import/import-kind.ts';
import { subjectParticle } from '../../lib/hangul.ts';
import { asciiText, oneLine, type PastedTable } from '../../lib/paste-table.ts';
import { findColumns } from '../../components/import/columns.ts';
import { gradeText, type TimetableField, type TimetableRow } from './labels.ts';
import { cancelledField, otherTimeIn } from './merged.ts';
import { otherPeriods, withOtherPeriods, type OtherPeriods } from './timetable-words.ts';
import { NO_NAME_OR_ROOM, parseTimetable } from './timetable.ts';
import { isUnclearRoom, roomsIn } from './week.ts';

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

/** What holds for a whole table. In a graduate school an empty grade means the graduate level. */
type Facts = {
  isGraduate: boolean;
  hasCredits: boolean;
  periods: OtherPeriods | undefined;
  /** Cells of several lines, as one line, and with commas between the lines. */
  lists: ReadonlyMap<string, string>;
};

/** @param table the table whose rows are read */
export function timetableKind(isGraduate: boolean, table: PastedTable = []): Timetable {
  const { columns } = findColumns(table, { fields });
  const hasCredits = columns.some(({ field }) => field === 'score');
  const ofLines = table.flat().filter((cell) => cell.includes('\n'));
  const lists = new Map(ofLines.map((cell) => [oneLine(cell), cell.split('\n').map(oneLine).join(', ')]));
  const facts = { isGraduate, hasCredits, periods: otherPeriods(table), lists };
  return kindWith((cell) => readSubject(cell, facts));
}

const labelOf = (name: TimetableField) => fields.find((field) => field.name === name)?.label ?? name;

function readSubject(
  cell: (field: TimetableField) => string,
  facts: Facts,
): ReadRow<TimetableField, TimetableRow> {
  const code = asciiText(cell('id'));
  const section = asciiText(cell('section'));
  const year = cell('year') === '' && facts.isGraduate ? 0 : readGrade(cell('year'));
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
    return { row, doubts: [...doubtsOf(checked.data, facts), ...cellDoubts(cell, checked.data, facts)] };
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

function doubtsOf(subject: Subject, { periods }: Facts): RowFlag<TimetableField>[] {
  const cancelled = cancelledField(subject);
  if (cancelled) return [{ field: cancelled, reason: '폐강된 과목이라 체크하지 않았습니다' }];
  const { slots, unread } = parseTimetable(subject.time);
  if (slots.length === 0 && (unread.length === 0 || NO_NAME_OR_ROOM.test(subject.time))) return [];
  if (unread.length > 0) {
    const reason = '주간 시간표에 넣을 수 없습니다. ‘월 1-3교시’나 ‘월 09:00-10:15’처럼 적으세요';
    return [{ field: 'time', reason }];
  }
  const other = periods && withOtherPeriods(subject.time, periods);
  const doubts: RowFlag<TimetableField>[] = (['etc', 'classroom', 'name', 'type'] as const).flatMap(
    (field) => {
      const part = otherTimeIn(subject[field]);
      return part === undefined
        ? []
        : [{ field, reason: `‘${part}’ 표시가 있어 주간 시간표의 시간과 다를 수 있습니다` }];
    },
  );
  if (!other) return doubts;
  const reason = `표에는 ‘${periods.words}’ 표시가 있습니다. 이 시간을 시각으로 적으세요`;
  const repair = other.clocks === undefined ? {} : { repair: other.clocks };
  return [...doubts, { field: 'time', reason, ...repair }];
}

const CREDITS_USUAL = 9;
const ONE_BY_ONE = '강의실을 하나씩 ‘공401, 공402’처럼 적으세요';
const NAME = /(?<!\S)[가-힣]{3}(?!\S)/g;
/** `월12` may be the periods 1 and 2. */
const SINGLE_LATE = /[월화수목금토]\s?1[0-5](?!\d|\s?[-~,·:시]|\s?교시)/;

/** Doubts about cells that can be read but may hold something else. */
function cellDoubts(
  cell: (field: TimetableField) => string,
  subject: Subject,
  facts: Facts,
): RowFlag<TimetableField>[] {
  const [first = 0, hours = 0, last] = asciiText(cell('score')).split(/[-/]/).map(Number);
  const listed = parseTimetable(cell('classroom')).slots.length > 0 ? [] : roomsIn(cell('classroom'));
  const parts = cell('classroom').split(/\s+/);
  const areRooms = parts.length > 1 && parts.every((part) => /\d{2}/.test(part)) && listed.length === 1;
  const isSplit = areRooms || facts.lists.has(cell('classroom'));
  const isUnclear = listed.some((room) => isUnclearRoom(room, listed, isSplit));
  const areUnclearInTime = parseTimetable(cell('time')).slots.some(({ room = '' }) => isUnclearRoom(room));
  const names = /^[가-힣]{3}\s(?:.*\s)?(?!.교수)[가-힣]{3}$/.test(cell('prof'))
    ? cell('prof').match(NAME)
    : null;
  const listDoubt = (
    field: TimetableField,
    list?: readonly string[] | null,
  ): false | RowFlag<TimetableField> => {
    const repair = facts.lists.get(cell(field)) ?? list?.join(', ');
    return repair !== undefined && { field, reason: '둘 이상이면 쉼표로 나누세요', repair };
  };
  const doubts: (false | RowFlag<TimetableField>)[] = [
    !/\d/.test(cell('id')) && { field: 'id', reason: '학수번호에 숫자가 없습니다' },
    (subject.year === 0) !== facts.isGraduate && {
      field: 'year',
      reason: `${gradeText(subject.year)} 과목으로 저장됩니다`,
    },
    subject.score > CREDITS_USUAL && { field: 'score', reason: '학점으로는 큰 수입니다' },
    facts.hasCredits && cell('score') === '' && emptyCell('score'),
    // In `2-2-3` (lecture, practice, credits) the credits are last, in `3-2-2` first.
    last !== undefined &&
      first !== last &&
      first + hours / 2 === last && { field: 'score', reason: `학점이 ${first}인지 ${last}인지 확인하세요` },
    /\d/.test(cell('prof').replace(/\(.*?\)/g, '')) && { field: 'prof', reason: '교수 칸에 숫자가 있습니다' },
    listDoubt('prof', names),
    listDoubt('classroom', areRooms ? parts : undefined),
    SINGLE_LATE.test(cell('time')) && {
      field: 'time',
      reason: '10교시 뒤의 한 교시인지, 두 교시를 붙여 적었는지 확인하세요',
    },
    cell('time') === '' && /\d/.test(listed.join(' ')) && emptyCell('time'),
    areUnclearInTime && { field: 'time', reason: ONE_BY_ONE },
    isUnclear && { field: 'classroom', reason: ONE_BY_ONE },
    ...(['id', 'section', 'classroom'] as const).map((field) => dateDoubt(field, cell(field))),
  ];
  return doubts.filter((doubt) => doubt !== false);
}

/** Excel turns the section 1-2 into the date 2026-01-02. */
function dateDoubt(field: TimetableField, text: string): false | RowFlag<TimetableField> {
  const [, month, day] = /^20\d\d[-./](\d{1,2})[-./](\d{1,2})\.?$/.exec(asciiText(text)) ?? [];
  const repair = `${Number(month)}-${Number(day)}`;
  return month !== undefined && { field, reason: '엑셀이 날짜로 바꾼 값으로 보입니다', repair };
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
