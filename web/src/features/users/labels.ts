import type { BridgeTaskKind } from '#contract/bridges';
import { termText } from '#contract/terms';
import { roleNames } from '#contract/access-levels';
import { SYSTEM_ADDRESS, type AccessLogEntry, type LogAction, type LogSubject } from '#contract/access-log';
import { NIGHT_END_HOUR, type LogReport, type UnusualAccess } from '#contract/log-reviews';
import { isRecord } from '../../lib/is-record.ts';
import { seoulDateTime } from '../../lib/seoul-time.ts';

export const LOG_ACTIONS = ['read', 'create', 'change', 'delete', 'export'] as const satisfies LogAction[];

export const actionLabels: Record<LogAction, string> = {
  read: '조회',
  create: '등록',
  change: '변경',
  delete: '삭제',
  export: '내보내기',
};

const subjectLabels: Record<LogSubject, string> = {
  user: '사용자',
  access_log: '접속 기록',
  student: '학생',
  enrolment: '수강',
  picture: '사진',
  ledger_entry: '랩비 내역',
  receipt: '영수증',
  due: '회비',
  plant: '화분',
  receiver: '알림 수신처',
  content: '홈페이지 내용',
  bridge: '브리지',
};

type Person = NonNullable<AccessLogEntry['person']>;

export function actorName({ actor, address }: Pick<AccessLogEntry, 'actor' | 'address'>): string {
  if (actor === null) return address === SYSTEM_ADDRESS ? '시스템 (예약 작업)' : '운영자 명령';
  return personName(actor);
}

/** Names what was accessed: a person, a ledger entry, a receipt, a receiver or a list. */
export function subjectName({ subject, person }: Pick<AccessLogEntry, 'subject' | 'person'>): string {
  if (person !== null && subject === 'ledger_entry') return `랩비 내역 (번호 ${person.id})`;
  if (person !== null && subject === 'receipt') return `랩비 내역 (번호 ${person.id})의 영수증`;
  if (person !== null && subject === 'receiver') return `알림 수신처 (번호 ${person.id})`;
  if (person !== null) return personName(person);
  return ['access_log', 'plant', 'receiver', 'bridge'].includes(subject)
    ? subjectLabels[subject]
    : `${subjectLabels[subject]} 목록`;
}

function personName({ id, name, email }: Person): string {
  if (name === null && email === null)
    return typeof id === 'number' ? `삭제된 사용자 (사용자 번호 ${id})` : `지금은 없는 학번 ${id}`;
  return name !== null && name !== '' ? name : (email ?? '');
}

/** Details of a log entry in words. Unknown details are shown as stored. */
export function detailText(detail: AccessLogEntry['detail']): string {
  const isNumberAlone =
    Array.isArray(detail['fields']) && detail['fields'].length === 0 && 'number' in detail;
  return Object.entries(detail)
    .filter(([key]) => key !== 'fields' || !isNumberAlone)
    .map(([key, value]) => wordsOf[key]?.(value) ?? `${key}: ${JSON.stringify(value)}`)
    .join(' · ');
}

export function unusualAccessText(unusual: UnusualAccess): string {
  const { kind, entries } = unusual;
  if (kind === 'address') return `처음 보는 주소 ${unusual.address}에서 ${entries}건`;
  if (kind === 'hour') return `밤 0시부터 ${NIGHT_END_HOUR}시 사이에 ${entries}건`;
  const usual = unusual.usual === 0 ? '' : ` (다른 날은 보통 ${counts.format(unusual.usual)}건)`;
  return `하루에 ${counts.format(unusual.handled)}건 처리${usual}`;
}

/** The text for a month that is not signed off yet, on screen, on paper and in the file. */
export const reviewStateText = ({ isOver }: Pick<LogReport, 'isOver'>) =>
  isOver ? '점검 전입니다.' : '진행 중인 달입니다. 다음 달 1일부터 점검할 수 있습니다.';

const counts = new Intl.NumberFormat('ko');
export const countText = (count: number) => counts.format(count);

export const unusualAccessLabels: Record<UnusualAccess['kind'], string> = {
  number: '건수',
  hour: '시간대',
  address: '접속 IP',
};

/** `2026년 3월`. */
export const monthText = (month: string) => `${month.slice(0, 4)}년 ${Number(month.slice(5))}월`;

const counted = (what: string, unit: string) => (value: unknown) =>
  typeof value === 'number' ? `${what} ${value}${unit}` : undefined;

const taskNames: Partial<Record<string, string>> = {
  board_add: '보드 등록',
  board_revoke: '보드 비밀번호 폐기',
  dead_letters: '처리하지 못한 메시지',
  replay: '메시지 다시 처리',
  repair: '메시지 고쳐서 처리',
  backup: '백업',
} satisfies Record<BridgeTaskKind, string>;

/** Each function returns undefined for a value that it cannot put into words. */
const wordsOf: Record<string, (value: unknown) => string | undefined> = {
  count: (value) => (typeof value === 'number' ? `${value}건` : undefined),
  reason: (value) => (typeof value === 'string' ? `사유: ${value}` : undefined),
  filter: (value) => (isRecord(value) ? filterText(value) : undefined),
  search: (value) => (value === true ? '검색한 목록' : undefined),
  bin: (value) => (value === true ? '휴지통에 있던 내역' : undefined),
  fields: (value) => (Array.isArray(value) ? fieldsText(value) : undefined),
  emails: (value) => (value === true ? '이메일만' : undefined),
  printed: (value) => (value === true ? '인쇄' : undefined),
  month: (value) => (typeof value === 'string' ? `${monthText(value)} 점검 보고서` : undefined),
  reviewed: (value) => (typeof value === 'string' ? `${monthText(value)} 점검 완료` : undefined),
  reviews: (value) => (value === true ? '월별 점검 목록' : undefined),
  restored: (value) => (isRecord(value) ? restoredText(value) : undefined),
  undone: (value) => (isRecord(value) ? `가져오기 되돌림: ${filterText(value)}` : undefined),
  added: counted('추가', '건'),
  changed: counted('변경', '건'),
  unchanged: counted('동일', '건'),
  removed: counted('수강 종료', '건'),
  sessions: counted('로그인', '건'),
  entries: counted('기록', '건'),
  imports: counted('되돌릴 수 있던 가져오기', '건'),
  importers: counted('가져온 사람의 이름', '명'),
  names: counted('삭제된 사용자의 이름', '개'),
  files: counted('파일', '개'),
  readings: counted('측정값', '건'),
  enrolments: counted('수강', '건'),
  students: counted('학생', '명'),
  secure_level: (value) => changeText('역할', value, roleName),
  univ_id: (value) => changeText('학번/직번', value, String),
  univ_id_verified: (value) =>
    Array.isArray(value)
      ? `학번/직번 ${value[1] === 1 || value[1] === true ? '확인' : '확인 취소'}`
      : undefined,
  amount: (value) => changeText('금액', value, wonText),
  datetime: (value) => changeText('날짜', value, dayText),
  size: counted('크기', '바이트'),
  receipts: counted('영수증', '개'),
  dues: counted('회비', '건'),
  words: (value) => (value === true ? '내용이나 분류 수정' : undefined),
  paid: (value) => (typeof value === 'number' ? `회비로 ${wonText(value)}` : undefined),
  entry: (value) => changeText('납부 내역 번호', value, String, '취소'),
  due: counted('회비 명단 번호', ''),
  number: (value) => changeText('학번', value, String),
  no: (value) => changeText('순번', value, String),
  year: (value) => changeText('학년', value, String),
  type: (value) => changeText('학적상태', value, String),
  plant: (value) => (typeof value === 'string' ? `화분 ${value}` : undefined),
  bridge: (value) => (typeof value === 'string' ? `브리지 ${value}` : undefined),
  key: (value) => (typeof value === 'number' ? `키 ${value} 폐기` : '새 키'),
  task: (value) => (typeof value === 'string' ? taskNames[value] : undefined),
  name: (value) => changeText('이름', value, String),
  name_en: (value) => changeText('영어 이름', value, (name) => String(name) || '없음'),
  topic: (value) => (typeof value === 'string' ? `토픽 ${value}` : undefined),
  is_hidden: (value) => (Array.isArray(value) ? (value[1] === 1 ? '숨김' : '다시 표시') : undefined),
  dry: (value) => changeText('마른 값', value, String),
  wet: (value) => changeText('젖은 값', value, String),
  alert_below: (value) => changeText('알림 기준', value, percentText),
  alert_clear: (value) => changeText('알림 해제 기준', value, percentText),
  stale_after_minutes: (value) =>
    changeText('수신 끊김 판정 시간', value, (minutes) => `${String(minutes)}분`),
  is_public: (value) =>
    Array.isArray(value) ? `첫 화면 ${value[1] === 1 ? '공개' : '공개 해제'}` : undefined,
};

/** Describes a run of `npm run restore`: the backup, and which log entries and reviews were lost. */
function restoredText({ made, since, entries, months }: Record<string, unknown>): string {
  const lost =
    typeof entries === 'number'
      ? `그 뒤 복원 전까지의 기록 ${counts.format(entries)}건 없어짐`
      : '그 뒤 복원 전까지의 기록은 알 수 없음';
  const again = Array.isArray(months) ? months.filter((month) => typeof month === 'string') : [];
  return [
    `${typeof made === 'number' ? `${seoulDateTime(made)}의 ` : ''}백업으로 복원`,
    ...(typeof since === 'number' ? [`마지막 기록 ${seoulDateTime(since)}`] : []),
    lost,
    ...(again.length > 0 ? [`점검 완료가 없어져 다시 점검할 달: ${again.map(monthText).join(', ')}`] : []),
  ].join(' · ');
}

const fieldNames = new Map<unknown, string>([
  ['name', '이름'],
  ['department', '학과'],
  ['tel', '연락처'],
  ['email', '이메일'],
  ['no', '순번'],
  ['year', '학년'],
  ['type', '학적상태'],
]);

/** Lists the corrected fields of a student, without values, because the log holds no personal data. */
const fieldsText = (fields: unknown[]) =>
  fields.length === 0
    ? '바뀐 내용 없음'
    : fields.map((name) => fieldNames.get(name) ?? String(name)).join(', ');

const won = new Intl.NumberFormat('ko', { signDisplay: 'exceptZero' });
const wonText = (amount: unknown) =>
  typeof amount === 'number' ? `${won.format(amount)}원` : String(amount);
const percentText = (percent: unknown) => `${String(percent)}%`;
/** The day of a date or a date with time: `2026.03.02`. */
export const dayText = (datetime: unknown) => String(datetime).slice(0, 10).replaceAll('-', '.');

/** @param gone the text that the user sees if the value was removed */
function changeText(
  what: string,
  value: unknown,
  say: (side: unknown) => string,
  gone = '삭제',
): string | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [before, after] = value.map((side: unknown) => (side === null ? undefined : say(side)));
  if (before === undefined) return `${what} ${after ?? '없음'}`;
  return after === undefined ? `${what} ${before} ${gone}` : `${what} ${before} → ${after}`;
}

function roleName(level: unknown): string {
  const name = new Map(Object.entries(roleNames)).get(String(level));
  return name ?? String(level);
}

function filterText(filter: Record<string, unknown>): string {
  const { person, action, from, to, before, year, semester, subject } = filter;
  const phrases = [
    typeof year === 'number' && typeof semester === 'number' && termText({ year, semester }),
    typeof subject === 'string' && subject,
    person === true && '사람으로 검색',
    typeof action === 'string' &&
      `작업 ${new Map<string, string>(Object.entries(actionLabels)).get(action) ?? action}`,
    typeof from === 'number' && `${seoulDateTime(from)}부터`,
    typeof to === 'number' && `${seoulDateTime(to)} 전까지`,
    before !== undefined && '이전 기록',
  ].filter((phrase) => phrase !== false);
  return `조건: ${phrases.length > 0 ? phrases.join(', ') : '없음'}`;
}
