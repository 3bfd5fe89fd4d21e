import {
  type BridgeDetails,
  type HealthDetails,
  WATCH_RUN_VALID_MS,
  type PlantDetails,
  byteSizeText,
  type TaskDetails,
  type ActiveAlert,
} from '#contract/health';
import { expect, test } from 'vitest';
import {
  throttledBoards,
  throttledText,
  quotaNotes,
  writtenRowsNote,
  silenceShare,
  databaseSizeNote,
  partStates,
  taskStateLabel,
  listActiveAlerts,
  partsDownWithoutAlert,
  versionNote,
  healthUnknownReason,
} from '../../web/src/features/health/labels.ts';

const NOW = Date.UTC(2026, 2, 2, 9);
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const plant = (name: string, heardMinutesAgo: number | null): PlantDetails => ({
  plant: name,
  last_received_at: heardMinutesAgo === null ? null : ago(heardMinutesAgo),
  stale_after_minutes: 15,
  board: null,
});
const look = (startedMinutesAgo: number, given: Partial<TaskDetails> = {}): TaskDetails => ({
  task: 'watch',
  started_at: ago(startedMinutesAgo),
  finished_at: ago(startedMinutesAgo),
  ok: true,
  failure: null,
  ...given,
});
/** A bridge that holds back what these boards send beyond their quota. */
const holding = (over_quota: BridgeDetails['over_quota'], alive: boolean): BridgeDetails => ({
  bridge: 'roof',
  alive,
  reported_at: ago(1),
  version: '0.2.0',
  broker_connected: true,
  spool: null,
  certificate_until: null,
  disk_free: null,
  boards_passed_over: null,
  over_quota,
});
const details = (given: Partial<HealthDetails>): HealthDetails => ({
  at: ago(0),
  version: '0.2.0',
  parts: { api: true, plants: true, ingest: true, broker: true, bridge: true },
  bridges: [],
  plants: [],
  storage: { database: 0, plants: 0, files: 0, files_count: 0 },
  usage: { plan: 'free', full_in_days: null, plants_full_in_days: null, rows_today: 0, rows_end_at: null },
  backup: { last: null, before: null, failed_at: null, alert_days: 7, drill: null },
  tasks: [look(2)],
  alerts: [],
  webhook: true,
  heartbeat: true,
  ...given,
});

test('OPS-4 a plant that is silent before the watch has looked is not called well', () => {
  const health = details({ plants: [plant('고사리', 16), plant('이끼', 14), plant('난초', null)] });
  expect(listActiveAlerts(health, NOW)).toEqual([
    { kind: 'board', name: '고사리', since: ago(16), detail: null },
  ]);
});

test('OPS-4 a part that does not answer is listed by name, once, also when it is told of as a trouble', () => {
  const parts = { api: true, plants: true, ingest: false, broker: false, bridge: true };
  expect(partsDownWithoutAlert(parts, [])).toEqual([
    { part: 'broker', text: 'MQTT 브로커: 응답이 없습니다', step: expect.stringContaining('mosquitto') },
    { part: 'ingest', text: '수집 서버: 응답이 없습니다', step: undefined },
  ]);
  const told: ActiveAlert[] = [{ kind: 'broker', name: 'roof', since: ago(20), detail: null }];
  expect(partsDownWithoutAlert(parts, told).map(({ part }) => part)).toEqual(['ingest']);
});

test('SEC-46 a board beyond its quota is listed before the watch has looked, once, and not by the word of a silent bridge', () => {
  const bridge = (plants: string[], alive = true) =>
    holding(
      plants.map((name) => ({ plant: name, waiting: 1, refused: 0 })),
      alive,
    );
  const alerts: ActiveAlert[] = [{ kind: 'quota', name: '이끼', since: ago(40), detail: null }];
  const bridges = [bridge(['고사리', '이끼']), bridge(['고사리']), bridge(['난초'], false)];
  expect(listActiveAlerts(details({ alerts, bridges }), NOW)).toEqual([
    ...alerts,
    { kind: 'quota', name: '고사리', since: ago(1), detail: null },
  ]);
});

test('SEC-46 OPS-4 a board over its quota is called that, and not silent, while its readings wait', () => {
  const over_quota = [{ plant: '고사리', waiting: 12_000, refused: 3 }];
  const bridge = (alive: boolean) => holding(over_quota, alive);
  const alerts: ActiveAlert[] = [{ kind: 'board', name: '고사리', since: ago(40), detail: null }];
  const plants = [plant('고사리', 40)];
  const kinds = (alive: boolean) =>
    listActiveAlerts(details({ alerts, plants, bridges: [bridge(alive)] }), NOW).map(({ kind }) => kind);
  expect(kinds(true)).toEqual(['quota']);
  expect(kinds(false)).toEqual(['board']);
  const [held] = throttledBoards([bridge(true)]).values();
  expect(held && throttledText(held)).toBe('한도를 넘어 12,000건 대기, 3건 거절');
});

test('OPS-4 a plant that was told of is listed once, beside what else was told of', () => {
  const alerts: ActiveAlert[] = [
    { kind: 'board', name: '고사리', since: ago(40), detail: null },
    { kind: 'backup', name: '', since: ago(60), detail: null },
  ];
  expect(listActiveAlerts(details({ alerts, plants: [plant('고사리', 40)] }), NOW)).toEqual(alerts);
});

test('SEC-46 ING-9 what is held back of a board is told with its numbers, and what is not known as such', () => {
  const boards = [
    { plant: '고사리', waiting: 12_000, refused: 0 },
    { plant: '이끼', waiting: 5, refused: 3400 },
  ];
  expect(quotaNotes(boards, true)).toEqual([
    '고사리: 한도를 넘어 12,000건 대기',
    '이끼: 한도를 넘어 5건 대기, 3,400건 거절',
  ]);
  expect(quotaNotes([], true)).toEqual([]);
  expect(quotaNotes(null, true)).toEqual(['화분별 한도를 넘었는지 알 수 없음']);
  expect(quotaNotes(null, false)).toEqual([]);
});

test.each([
  [null, null],
  [0, 0],
  [15, 1],
  [-5, 0],
])('OPS-4 of a plant heard %s minutes ago the share %s of its silence is used up', (minutes, share) => {
  expect(silenceShare(plant('fern', minutes), NOW)).toBe(share);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [12_345_678, '12.3 MB'],
  [2e15, '2000.0 TB'],
])('OPS-4 %d bytes read %s', (bytes, text) => {
  expect(byteSizeText(bytes)).toBe(text);
});

test.each([
  [
    'Error: the watch failed: boards, saving',
    '화분의 상태를 읽지 못합니다, 데이터베이스에 저장하지 못합니다',
  ],
  ['Error: the webhook: answered 503', '운영자가 정한 주소에 알리지 못했습니다: 받지 않았습니다 (응답 503)'],
  ['Error: D1_ERROR: Exceeded maximum DB size', '데이터베이스가 가득 찼습니다'],
  ['Error: D1_ERROR: no such table: alerts: SQLITE_ERROR', '마이그레이션이 적용되지 않았습니다'],
  ['Error: D1_ERROR: Network connection lost.', '데이터베이스가 응답하지 않거나 거절했습니다'],
  ['TypeError: nobody thought of this', '뜻밖의 오류입니다. 로그에 자세히 남았습니다'],
])('OPS-10 a task that failed with %s says why', (failure, text) => {
  expect(taskStateLabel(look(2, { ok: false, failure }), WATCH_RUN_VALID_MS, NOW).text).toBe(`실패: ${text}`);
});

test('OPS-10 a task that failed before it could say why does not stand there as a bare 실패', () => {
  expect(taskStateLabel(look(2, { ok: false }), WATCH_RUN_VALID_MS, NOW).text).toBe(
    '실패: 로그에 자세히 남았습니다',
  );
});

test('OPS-10 size and rows say the limit of the plan, and when it is foreseen to be reached', () => {
  const usage = {
    plan: 'free',
    full_in_days: null,
    plants_full_in_days: null,
    rows_today: 55_000,
    rows_end_at: null,
  } as const;
  expect(databaseSizeNote('free', null)).toBe('무료 요금제의 한도 500.0 MB');
  expect(databaseSizeNote('paid', 11.2)).toBe('유료 요금제의 한도 10.0 GB · 이대로면 12일 뒤 가득 찹니다');
  expect(writtenRowsNote({ ...usage, rows_end_at: ago(0) })).toBe(
    '무료 요금제는 하루 100,000행, 09:00에 다시 시작 · 이대로면 18:00에 소진됩니다',
  );
  expect(writtenRowsNote({ ...usage, plan: 'paid' })).toBeUndefined();
  expect(databaseSizeNote('none', null)).toBeUndefined();
});

test.each<[string, Partial<HealthDetails>, RegExp | null]>([
  ['a look two minutes ago', {}, null],
  ['a look that goes on after a good one', { tasks: [look(0, { finished_at: null })] }, null],
  ['no look yet', { tasks: [] }, /^아직 확인하지 않았습니다/],
  ['a first look that goes on', { tasks: [look(0, { finished_at: null, ok: null })] }, /^아직 확인하지/],
  ['a look that is too old', { tasks: [look(16)] }, /^마지막 상태 점검은 16분 전입니다/],
  ['a look that never ended', { tasks: [look(16, { finished_at: null })] }, /^마지막 상태 점검은/],
  ['a look that failed', { tasks: [look(2, { ok: false })] }, /끝까지 확인하지 못했습니다/],
  ['another task alone', { tasks: [look(2, { task: 'retention' })] }, /^아직 확인하지/],
  ...(['bridges', 'plants', 'storage', 'usage', 'backup', 'tasks', 'alerts'] as const).map(
    (part): [string, Partial<HealthDetails>, RegExp] => [
      `${part} that could not be read`,
      { [part]: null },
      /^일부 상태를 불러오지/,
    ],
  ),
  [
    'the size of the plants that could not be read',
    { storage: { database: 0, plants: null, files: 0, files_count: 0 } },
    /^일부 상태를 불러오지/,
  ],
])('OPS-4 with %s it is said whether all is known to be well', (_, given, text) => {
  expect(healthUnknownReason(details(given), NOW) ?? '모두 정상').toMatch(text ?? /^모두 정상$/);
});

test('OPS-4 a broker is down only when a bridge that lives says so, and a bridge when the database does', () => {
  const parts = { api: true, plants: true, ingest: true, bridge: true, broker: false };
  expect(partStates(parts)).toMatchObject({ bridge: 'stands', broker: 'down' });
  expect(partStates({ ...parts, bridge: false })).toMatchObject({ bridge: 'down', broker: 'unknown' });
  expect(partStates({ ...parts, plants: false })).toMatchObject({
    api: 'stands',
    plants: 'down',
    bridge: 'unknown',
    broker: 'unknown',
  });
  expect(partStates({ ...parts, api: false })).toMatchObject({
    api: 'down',
    plants: 'stands',
    bridge: 'stands',
  });
});

test.each([
  ['0.2.0', '버전 0.2.0'],
  ['0.10.0', '버전 0.10.0'],
  ['0.1.9', '버전 0.1.9 (서버 0.2.0보다 오래됨, 업그레이드 필요)'],
])('OPS-8 a bridge of version %s beside a server of 0.2.0 has the note "%s"', (version, note) => {
  expect(versionNote(version, '0.2.0')).toBe(note);
});
