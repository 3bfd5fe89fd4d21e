import { parsePlantTopic } from '#contract/plant-id';
import { BOARDS_PER_HEARTBEAT, BOARDS_RECONNECTING_MAX, type BoardReport } from '#contract/readings';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import type { Clock } from '../clock.ts';
import { plantOfReadingTopic, type MqttMessage } from './decode.ts';
import { log } from '../log.ts';

const TOPIC = /^lab\/plants\/[^/]+\/availability$/;

/** Maximum number of boards remembered. Further boards are not reported; the log has one line about them. */
export const BOARDS_MAX = 20_000;
/**
 * An unchanged board is reported again after this long, because the worker may not know its state: a backup
 * was restored, the plant was created again, or the bridge's key may send for the plant only since then.
 */
export const BOARD_REPORT_REPEAT_MS = HOUR_MS;

/**
 * A board that is lost this often within this time counts as one that keeps reconnecting. If two boards have
 * the same name, the broker ends the connection of one whenever the other connects.
 */
const LOST_OFTEN = { times: 6, withinMs: 10 * MINUTE_MS };

const WORDS = new Map([
  ['online', true],
  ['offline', false],
  // An empty retained message deletes the board's state: nothing is known any more.
  ['', null],
]);

/** A board's presence in a message; undefined if the message is not understood. */
function presenceIn({ topic, payload }: MqttMessage): { plant: string; online: boolean | null } | undefined {
  const plant = parsePlantTopic(topic)?.plant;
  const online = WORDS.get(Buffer.from(payload).toString());
  return plant === undefined || online === undefined ? undefined : { plant, online };
}

/** Converts a report's time to the server's clock, as soon as the server's time is known. */
function putRight(report: BoardReport, uptimes: Map<string, number>, clock: Clock): BoardReport {
  const uptime = uptimes.get(report.plant);
  const serverOffset = clock.serverOffset();
  if (uptime === undefined || serverOffset === null) return report;
  uptimes.delete(report.plant);
  report.at = new Date(serverOffset + uptime).toISOString();
  return report;
}

export type Boards = ReturnType<typeof createBoards>;

/**
 * Knows which boards are online, from their availability topics, which the broker sends again on each
 * connection, and from readings: a reading after `offline` proves that the board is online.
 * @param changed called when a board goes online or offline; `speaks` is false if its retained message was
 *   deleted
 */
export function createBoards(clock: Clock, changed: (plant: string, speaks: boolean) => void) {
  const known = new Map<string, BoardReport>();
  /** Uptimes at which boards were last reported, the oldest first. */
  const toldAt = new Map<string, number>();
  const passedOver = new Set<string>();
  const untold = new Set<string>();
  /** Topics whose payload was not understood; each is logged once, until a payload is understood. */
  const notUnderstood = new Set<string>();
  /** Uptimes of the messages of boards whose `at` still comes from this machine's own wall clock. */
  const uptimes = new Map<string, number>();
  /** Uptimes at which boards were recently lost. */
  const losses = new Map<string, number[]>();

  function lost(plant: string): void {
    const before = losses.get(plant) ?? [];
    losses.set(plant, [...before, clock.uptime()].slice(-LOST_OFTEN.times));
  }

  /** Records a board's presence, if it has changed. */
  function note(plant: string, online: boolean | null, message: MqttMessage): void {
    const before = known.get(plant);
    if (before === undefined && known.size >= BOARDS_MAX) {
      passOver(plant);
      return;
    }
    // A new `offline` is more certain than a retained `offline` of unknown age.
    const isNews = online === false && before?.retained === true && !message.retained;
    if (before?.online === online && !isNews) return;
    const at = new Date(message.receivedAt).toISOString();
    known.set(plant, { plant, online, at, ...(message.retained && { retained: true }) });
    if (typeof message.stampedBy === 'object') uptimes.set(plant, message.stampedBy.uptime);
    else uptimes.delete(plant);
    untold.add(plant);
    if (online === false && !message.retained) lost(plant);
    changed(plant, online !== null);
  }

  function passOver(plant: string): void {
    if (passedOver.size === 0) log('error', 'boards_passed_over', { first: plant, known: BOARDS_MAX });
    if (passedOver.size < BOARDS_MAX) passedOver.add(plant);
  }

  function dueAgain(): string[] {
    const due: string[] = [];
    const before = clock.uptime() - BOARD_REPORT_REPEAT_MS;
    for (const [plant, at] of toldAt) {
      if (at > before || due.length >= BOARDS_PER_HEARTBEAT) break;
      if (!untold.has(plant)) due.push(plant);
    }
    return due;
  }

  return {
    heard: (message: MqttMessage): boolean => {
      if (!TOPIC.test(message.topic)) {
        const plant = message.retained ? undefined : plantOfReadingTopic(message.topic);
        if (plant !== undefined && known.get(plant)?.online === false) note(plant, true, message);
        return false;
      }
      const presence = presenceIn(message);
      if (presence === undefined) {
        if (notUnderstood.has(message.topic) || notUnderstood.size >= BOARDS_MAX) return true;
        notUnderstood.add(message.topic);
        log('warn', 'availability_not_understood', { topic: message.topic });
        return true;
      }
      notUnderstood.delete(message.topic);
      note(presence.plant, presence.online, message);
      return true;
    },
    /** Reports for one heartbeat: first boards that changed, then boards whose last report is too old. */
    report: (): BoardReport[] =>
      [...untold, ...dueAgain()]
        .slice(0, BOARDS_PER_HEARTBEAT)
        .flatMap((plant) => known.get(plant) ?? [])
        .map((report) => putRight(report, uptimes, clock)),
    told: (reports: readonly BoardReport[]): void => {
      for (const report of reports) {
        const { plant } = report;
        // The board may have changed while the heartbeat was sent. A time by this machine's own clock is
        // reported again, corrected by the server's time in the answer.
        if (known.get(plant) !== report || uptimes.has(plant)) continue;
        untold.delete(plant);
        toldAt.delete(plant);
        toldAt.set(plant, clock.uptime());
      }
    },
    /** Plants whose boards keep reconnecting. */
    reconnecting: (): string[] => {
      const since = clock.uptime() - LOST_OFTEN.withinMs;
      const often = ([, times]: [string, number[]]) =>
        times.length === LOST_OFTEN.times && (times[0] ?? 0) >= since;
      return [...losses]
        .filter(often)
        .map(([plant]) => plant)
        .slice(0, BOARDS_RECONNECTING_MAX);
    },
    /** Number of boards that no heartbeat reports, because there are too many; counted up to BOARDS_MAX. */
    passedOver: () => passedOver.size,
  };
}
