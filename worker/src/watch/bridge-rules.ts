import {
  CERTIFICATE_EXPIRY_MS,
  DEAD_LETTERS_MIN,
  DEAD_LETTERS_WINDOW_MS,
  DISK_RECOVERED_FACTOR,
  minFreeDiskBytes,
  HEARTBEAT_LATE_MS,
} from '#contract/alert-limits';
import { byteSizeText } from '#contract/health';
import { printable } from '#contract/printable-text';
import { DAY_MS } from '#contract/time';
import type { AlertKind } from '#contract/alerts';
import {
  SPOOL_FAILURES,
  type BoardOverQuota,
  type BoardWithDeadLetters,
  type SpoolState,
} from '#contract/readings';
import { badVerdict, wellVerdict, judgeOverdueReport, UNKNOWN_VERDICT, type Verdict } from './rules.ts';

/** The latest heartbeat of a bridge. Instants are milliseconds since 1970. */
export type BridgeReport = {
  reported_at: number;
  valid_until: number;
  /** When the bridge last reported a working broker connection, and a known spool state. */
  broker_heard_at: number;
  spool_known_at: number;
  /** Null while unknown. */
  spool_state: SpoolState | null;
  /** Null while the spool cannot be read. */
  spool_depth: number | null;
  /** Null when nothing is waiting. */
  spool_oldest_at: number | null;
  /** Boards over their quota, as last reported; null if never reported. */
  over_quota: BoardOverQuota[] | null;
  over_quota_at: number | null;
  /** Plants whose boards keep reconnecting; null for none. */
  boards_reconnecting: string[] | null;
  /** Number of dead letters, when the number last rose, and the boards with the most. */
  spool_dead: number | null;
  dead_at: number | null;
  dead_boards: BoardWithDeadLetters[] | null;
  /** End of its broker's certificate, and bytes of the spool's disk; null while the bridge does not know. */
  certificate_until: number | null;
  disk_free: number | null;
  disk_size: number | null;
};

/**
 * Judges a bridge's latest heartbeat at `now`. Of a silent bridge only the silence is known, and nothing of a
 * bridge that never reported.
 */
export function judgeBridge(report: BridgeReport | null, now: number): [AlertKind, Verdict][] {
  const silence = report ? judgeOverdueReport(report.reported_at, HEARTBEAT_LATE_MS, now) : UNKNOWN_VERDICT;
  const current = report !== null && report.valid_until > now ? report : null;
  const failures = SPOOL_FAILURES.map((failure): [AlertKind, Verdict] => [
    `spool_${failure}`,
    judgeFailure(current, failure, now),
  ]);
  return [
    ['bridge', silence],
    [
      'broker',
      current ? judgeOverdueReport(current.broker_heard_at, HEARTBEAT_LATE_MS, now) : UNKNOWN_VERDICT,
    ],
    ['spool', judgeWaiting(current, now)],
    [
      'spool_unknown',
      current ? judgeOverdueReport(current.spool_known_at, HEARTBEAT_LATE_MS, now) : UNKNOWN_VERDICT,
    ],
    ['dead_letters', judgeDeadLetters(current, now)],
    ['certificate', judgeCertificate(current, now)],
    ['disk', judgeDisk(current, now)],
    ...failures,
  ];
}

function judgeWaiting(report: BridgeReport | null, now: number): Verdict {
  if (report === null || report.spool_depth === null) return UNKNOWN_VERDICT;
  // A normal burst drains within minutes; an older reading means a growing backlog.
  return judgeOverdueReport(report.spool_oldest_at ?? now, HEARTBEAT_LATE_MS, now);
}

/** The alert begins at once, because the bridge accepts nothing; it ends late: the disk may fill up again. */
function judgeFailure(report: BridgeReport | null, failure: SpoolState, now: number): Verdict {
  if (report === null || report.spool_state === null) return UNKNOWN_VERDICT;
  if (report.spool_state === failure) return badVerdict(report.reported_at);
  return judgeOverdueReport(now, HEARTBEAT_LATE_MS, now);
}

/** Raises one alert as long as dead letters arrive, however many. */
function judgeDeadLetters(report: BridgeReport | null, now: number): Verdict {
  if (report === null || report.spool_dead === null) return UNKNOWN_VERDICT;
  const { spool_dead: count, dead_at: at, dead_boards: boards } = report;
  if (count < DEAD_LETTERS_MIN || at === null || now - at > DEAD_LETTERS_WINDOW_MS) return wellVerdict(now);
  return badVerdict(at, deadLettersText(count, boards ?? []));
}

function judgeCertificate(report: BridgeReport | null, now: number): Verdict {
  const until = report?.certificate_until ?? null;
  if (until === null) return UNKNOWN_VERDICT;
  return until - now < CERTIFICATE_EXPIRY_MS
    ? badVerdict(now, certificateText(until, now))
    : wellVerdict(now);
}

function judgeDisk(report: BridgeReport | null, now: number): Verdict {
  const { disk_free: free = null, disk_size: size = null } = report ?? {};
  if (free === null || size === null) return UNKNOWN_VERDICT;
  const limit = minFreeDiskBytes(size);
  if (free < limit) return badVerdict(now, diskText(free));
  return free < DISK_RECOVERED_FACTOR * limit
    ? { state: 'between', since: now, holdMs: 0 }
    : wellVerdict(now);
}

/** Whether the latest heartbeat is valid and says which boards are over their quota. */
export const reportsQuotas = (report: BridgeReport, now: number) =>
  report.valid_until > now && report.over_quota_at === report.reported_at;

/**
 * Judges the boards that any bridge last reported as over quota. A bridge that is silent, or no longer knows,
 * ends no alert. A board that no bridge reports is well.
 */
export const judgeQuotas = (reports: readonly BridgeReport[], now: number): Map<string, Verdict> =>
  judgeNamed(reports, (report) => ({
    plants: report.over_quota?.map(({ plant }) => plant) ?? [],
    isKnown: reportsQuotas(report, now),
  }));

/** Like `judgeQuotas`, for boards that keep reconnecting. */
export const judgeReconnecting = (reports: readonly BridgeReport[], now: number): Map<string, Verdict> =>
  judgeNamed(reports, (one) => ({ plants: one.boards_reconnecting ?? [], isKnown: one.valid_until > now }));

function judgeNamed(
  reports: readonly BridgeReport[],
  said: (report: BridgeReport) => { plants: readonly string[]; isKnown: boolean },
): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const report of reports) {
    const { plants, isKnown } = said(report);
    const verdict = isKnown ? badVerdict(report.reported_at) : UNKNOWN_VERDICT;
    for (const plant of plants) if (verdicts.get(plant)?.state !== 'bad') verdicts.set(plant, verdict);
  }
  return verdicts;
}

const inKorean = new Intl.NumberFormat('ko');
const seoulDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', dateStyle: 'short' });

const deadLettersText = (messages: number, boards: readonly BoardWithDeadLetters[]) =>
  [
    `모두 ${inKorean.format(messages)}건`,
    // The plant's name is not validated: an invalid name is often the reason for dead letters.
    ...boards.map(({ plant, messages: own }) => `${printable(plant)} ${inKorean.format(own)}건`),
  ].join(', ');

function certificateText(until: number, now: number): string {
  const day = seoulDay.format(until).replaceAll('-', '.');
  const days = Math.ceil((until - now) / DAY_MS);
  return days > 0 ? `${day}까지 ${days}일 남음` : `${day}에 만료됨`;
}

const diskText = (free: number) => `남은 공간 ${byteSizeText(free)}`;
