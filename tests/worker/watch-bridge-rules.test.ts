import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/time';
import type { AlertKind } from '#contract/alerts';
import type { SpoolFailure } from '#contract/readings';
import {
  judgeBridge,
  judgeQuotas,
  judgeReconnecting,
  type BridgeReport,
} from '../../worker/src/watch/bridge-rules.ts';
import {
  nextAlert,
  wellVerdict,
  judgeBackup,
  judgeOverdueReport,
  judgeTask,
  alertAfterNotification,
  UNKNOWN_VERDICT,
  type AlertState,
  type Verdict,
} from '../../worker/src/watch/rules.ts';
import { words } from '../support/words.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A bridge that says at this moment that all is well. */
const wellAt = (now: number): BridgeReport => ({
  reported_at: now,
  valid_until: now + 75_000,
  broker_heard_at: now,
  spool_known_at: now,
  spool_state: 'ok',
  spool_depth: 0,
  spool_oldest_at: null,
  over_quota: [],
  boards_reconnecting: null,
  over_quota_at: now,
  spool_dead: 0,
  dead_at: null,
  dead_boards: null,
  certificate_until: null,
  disk_free: null,
  disk_size: null,
});

function stateOf(kind: AlertKind, word: BridgeReport | null, now: number): Verdict['state'] {
  return new Map(judgeBridge(word, now)).get(kind)?.state ?? 'unknown';
}

test('OPS-4 a spool is growing once its oldest reading waits for a quarter of an hour, however many wait', () => {
  const waits = (minutes: number | null) =>
    stateOf(
      'spool',
      { ...wellAt(HOUR), spool_oldest_at: minutes === null ? null : HOUR - minutes * MINUTE },
      HOUR,
    );
  expect([null, 5, 10, 16].map(waits)).toEqual(['well', 'well', 'between', 'bad']);
});

test('OPS-10 a certificate is told of 21 days before its end, and is over with one that lasts longer', () => {
  const at = (days: number | null) =>
    new Map(
      judgeBridge({ ...wellAt(HOUR), certificate_until: days === null ? null : HOUR + days * DAY_MS }, HOUR),
    ).get('certificate');
  expect([null, 22, 21, 20, -1].map((days) => at(days)?.state)).toEqual([
    'unknown',
    'well',
    'well',
    'bad',
    'bad',
  ]);
  expect(at(20)?.detail).toBe('1970.01.21까지 20일 남음');
  expect(at(-1)?.detail).toBe('1969.12.31에 만료됨');
});

test.each([
  [32e9, [2e9, 1.4e9, 0.9e9]],
  [4e9, [0.7e9, 0.5e9, 0.3e9]],
])('OPS-10 a disk of %d bytes is told of while it has little room', (disk_size, frees) => {
  const at = (disk_free: number) =>
    new Map(judgeBridge({ ...wellAt(HOUR), disk_free, disk_size }, HOUR)).get('disk');
  expect(frees.map((free) => at(free)?.state)).toEqual(['well', 'between', 'bad']);
  expect(at(0.3e9)?.detail).toBe('남은 공간 300.0 MB');
});

test('OPS-10 dead letters are told of while they come, by their boards, and not for ever', () => {
  const boards = [{ plant: 'fern', messages: 1200 }];
  const at = (ago: number, spool_dead: number | null = 1203) =>
    new Map(judgeBridge({ ...wellAt(HOUR), spool_dead, dead_at: HOUR - ago, dead_boards: boards }, HOUR)).get(
      'dead_letters',
    );
  // Two of them somebody has typed.
  const verdicts = [at(0), at(DAY_MS), at(DAY_MS + 1), at(0, 3), at(0, 2), at(0, 0), at(0, null)];
  expect(verdicts.map((verdict) => verdict?.state)).toEqual(words('bad bad well bad well well unknown'));
  expect(at(0)?.detail).toBe('모두 1,203건, fern 1,200건');
  expect(stateOf('dead_letters', { ...wellAt(HOUR), spool_dead: 3 }, HOUR)).toBe('well');
  const evil = [{ plant: 'a\n[해소]\u202e', messages: 1 }];
  const word = { ...wellAt(HOUR), spool_dead: 3, dead_at: HOUR, dead_boards: evil };
  expect(new Map(judgeBridge(word, HOUR)).get('dead_letters')?.detail).not.toMatch(/[\p{Cc}\u202e]/u);
});

test.each([
  ['bridge', (word: BridgeReport, ago: number) => ({ ...word, reported_at: word.reported_at - ago })],
  ['broker', (word: BridgeReport, ago: number) => ({ ...word, broker_heard_at: word.broker_heard_at - ago })],
  [
    'spool_unknown',
    (word: BridgeReport, ago: number) => ({ ...word, spool_known_at: word.spool_known_at - ago }),
  ],
] as const)(
  'OPS-4 of a bridge, %s is told of a quarter of an hour after it was last known to be well',
  (kind, since) => {
    const at = (ago: number) => stateOf(kind, since(wellAt(HOUR), ago), HOUR);
    expect(at(15 * MINUTE)).toBe('between');
    expect(at(15 * MINUTE + 1)).toBe('bad');
  },
);

test('OPS-4 each failure of a spool has its own name, at once, and none speaks for another', () => {
  for (const spool_state of ['full', 'readonly', 'corrupt', 'failed'] as const) {
    const bad = judgeBridge({ ...wellAt(HOUR), spool_state }, HOUR).filter(
      ([, { state }]) => state === 'bad',
    );
    expect(bad.map(([kind]) => kind)).toEqual([`spool_${spool_state}`]);
  }
});

test('OPS-4 of a bridge that fell silent only that is known, and of one that never spoke nothing', () => {
  const states = (word: BridgeReport | null, now: number) =>
    judgeBridge(word, now).filter(([, { state }]) => state !== 'unknown');
  expect(
    states({ ...wellAt(0), spool_state: 'full', spool_oldest_at: 0 }, HOUR).map(([kind]) => kind),
  ).toEqual(['bridge']);
  expect(states(null, HOUR)).toEqual([]);
});

test('SEC-46 a board is over its quota where any bridge says so now, and a bridge that never told says nothing', () => {
  const over = (plant: string) => [{ plant, waiting: 1, refused: 0 }];
  const says = (plant: string, at: number) => ({ ...wellAt(at), over_quota: over(plant) });
  const old = { ...wellAt(HOUR), over_quota: null, over_quota_at: null };
  const found = judgeQuotas(
    [says('fern', HOUR), says('moss', 0), says('basil', 0), says('basil', HOUR), old],
    HOUR,
  );
  expect([...found].map(([plant, { state }]) => [plant, state])).toEqual([
    ['fern', 'bad'],
    ['moss', 'unknown'],
    ['basil', 'bad'],
  ]);
  expect(judgeQuotas([old], HOUR)).toEqual(new Map());
});

test('PLT-24 a board connects again and again while a bridge says so; one that is silent ends nothing', () => {
  const says = (at: number, ...plants: string[]) => ({ ...wellAt(at), boards_reconnecting: plants });
  const found = judgeReconnecting([says(0, 'fern', 'moss'), wellAt(HOUR), says(HOUR, 'moss', 'basil')], HOUR);
  expect([...found].map(([plant, { state }]) => [plant, state])).toEqual([
    ['fern', 'unknown'],
    ['moss', 'bad'],
    ['basil', 'bad'],
  ]);
});

/**
 * What may be heard of one thing in the time between two looks: that it is well or bad, that whoever should know does
 * not, or nothing at all.
 */
const OBSERVATIONS = ['good', 'bad', 'unknown', 'silent'] as const;
type Observation = (typeof OBSERVATIONS)[number];

/** Every sequence of so many observations. */
function* sequences(length: number): Generator<Observation[]> {
  if (length === 0) yield [];
  else for (const rest of sequences(length - 1)) for (const next of OBSERVATIONS) yield [...rest, next];
}

type BridgeTrouble = 'broker' | 'spool' | `spool_${SpoolFailure}`;

/** The bridge's word after it was heard of so, of the kind of trouble in question, at `now`. */
function wordAfter(
  before: BridgeReport | null,
  kind: BridgeTrouble,
  heard: Observation,
  now: number,
): BridgeReport | null {
  // A bridge that lives knows whether it hears its broker.
  if (heard === 'silent' || (heard === 'unknown' && kind === 'broker')) return before;
  const well = wellAt(now);
  const last = before ?? well;
  if (heard === 'unknown') {
    // A bridge that cannot say how its spool is may still say that it lives and hears its broker.
    return { ...well, spool_state: null, spool_depth: null, spool_known_at: last.spool_known_at };
  }
  if (heard === 'good') return well;
  const bad: Record<BridgeTrouble, Partial<BridgeReport>> = {
    broker: { broker_heard_at: Math.min(last.broker_heard_at, now - 16 * MINUTE) },
    spool: { spool_depth: 9, spool_oldest_at: now - 16 * MINUTE },
    spool_full: { spool_state: 'full' },
    spool_readonly: { spool_state: 'readonly' },
    spool_corrupt: { spool_state: 'corrupt', spool_depth: null },
    spool_failed: { spool_state: 'failed', spool_depth: null },
  };
  return { ...well, ...bad[kind] };
}

/** By kind: what the rules say after a sequence of observations, told one by one. */
const watched: Partial<Record<AlertKind, () => (heard: Observation, now: number) => Verdict>> = {
  ...Object.fromEntries(
    (['broker', 'spool', 'spool_full', 'spool_readonly', 'spool_corrupt', 'spool_failed'] as const).map(
      (kind) => [
        kind,
        () => {
          let word: BridgeReport | null = null;
          return (heard: Observation, now: number) => {
            word = wordAfter(word, kind, heard, now);
            return new Map(judgeBridge(word, now)).get(kind) ?? UNKNOWN_VERDICT;
          };
        },
      ],
    ),
  ),
  quota: () => {
    let word: BridgeReport = { ...wellAt(0), over_quota: null, over_quota_at: null };
    return (heard, now) => {
      const told = { over_quota: heard === 'bad' ? [{ plant: 'fern', waiting: 9, refused: 0 }] : [] };
      // Of what it does not know a bridge says nothing, and what it said before stays.
      const kept = { over_quota: word.over_quota, over_quota_at: word.over_quota_at };
      if (heard !== 'silent') word = { ...wellAt(now), ...(heard === 'unknown' ? kept : told) };
      return judgeQuotas([word], now).get('fern') ?? wellVerdict(now);
    };
  },
  // A board and a backup are known by what is stored; not known is what the database did not answer.
  board: () => {
    let heardAt = 0;
    return (heard, now) => {
      if (heard === 'good') heardAt = now;
      if (heard === 'bad') heardAt = Math.min(heardAt, now - 61 * MINUTE);
      return heard === 'good' || heard === 'bad' ? judgeOverdueReport(heardAt, HOUR, now) : UNKNOWN_VERDICT;
    };
  },
  backup: () => (heard, now) =>
    heard === 'good' || heard === 'bad'
      ? judgeBackup({ lastOkAt: now, failedAt: heard === 'bad' ? now : null, keptSince: 0 }, 7, now)
      : UNKNOWN_VERDICT,
  task: () => (heard, now) =>
    judgeTask(
      heard === 'good' || heard === 'bad' ? { at: now, ok: heard === 'good', failure: null } : undefined,
      now,
    ),
};

test.each(Object.entries(watched))(
  'OPS-4 whatever is heard of %s in whatever order, trouble that was known ends only with being known to be well',
  (kind, begin) => {
    // A little more than what any rule asks for between two looks, and what a word is good for.
    const step = 11 * MINUTE;
    const wrong: string[] = [];
    for (const sequence of sequences(7)) {
      const judge = begin();
      let alert: AlertState | undefined;
      let lastKnown: Observation | undefined;
      for (const [at, heard] of sequence.entries()) {
        const now = HOUR + at * step;
        const before = alert;
        alert = nextAlert(alert, judge(heard, now), now);
        if (heard === 'good' || heard === 'bad') lastKnown = heard;
        const isGoing = alert !== undefined && alert.overAt === null;
        const ends = before !== undefined && !isGoing;
        if ((lastKnown === 'bad' && !isGoing) || (heard !== 'good' && ends))
          wrong.push(sequence.slice(0, at + 1).join(', '));
        if (alert) alert = alertAfterNotification(alert, now);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test('OPS-4 what is not known for long is trouble of its own, whatever was known before', () => {
  for (const sequence of sequences(4)) {
    let word: BridgeReport | null = wellAt(0);
    let now = 0;
    for (const heard of sequence) word = wordAfter(word, 'spool_full', heard, (now += 5 * MINUTE));
    for (const [heard, kind] of [
      ['unknown', 'spool_unknown'],
      ['silent', 'bridge'],
    ] as const) {
      let later: BridgeReport | null = word;
      for (let step = 1; step <= 4; step++)
        later = wordAfter(later, 'spool_full', heard, now + step * 5 * MINUTE);
      const story = `${sequence.join(', ')}, then ${heard}`;
      expect(stateOf(kind, later, now + 20 * MINUTE), story).toBe('bad');
    }
  }
});
