import { parsePlantTopic } from '#contract/plant-id';
import { BOARDS_PER_HEARTBEAT, BOARDS_RECONNECTING_MAX, type BoardReport } from '#contract/readings';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import type { Clock } from '../clock.ts';
import { plantOfReadingTopic, type MqttMessage } from './decode.ts';
import { log } from '../log.ts';

const TOPIC = /^lab\/plants\/[^/]+\/availability$/;

/** Maximum number of boards to remember. Further boards are not reported; the log says this once. */
export const BOARDS_MAX = 20_000;
/**
 * After this time an unchanged board is reported again, because the worker may not know its state: somebody
 * may have restored a backup, created the plant again, or allowed the bridge's key to send for the plant.
 */
export const BOARD_REPORT_REPEAT_MS = HOUR_MS;

/**
 * A board that goes offline this often within this time counts as one that keeps reconnecting. For example,
 * two boards have the same name: whenever one connects, the broker ends the connection of the other.
 */
const LOST_OFTEN = { times: 6, withinMs: 10 * MINUTE_MS };

const WORDS = new Map([
  ['online', true],
  ['offline', false],
  // An empty retained message deletes the board's state. Its state is then unknown.
  ['', null],
]);

/** Reads from a message whether its board is online (null: unknown); undefined if it is not understood. */
function presenceIn({ topic, payload }: MqttMessage): { plant: string; online: boolean | null } | undefined {
  const plant = parsePlantTopic(topic)?.plant;
  const online = WORDS.get(Buffer.from(payload).toString());
  return plant === undefined || online === undefined ? undefined : { plant, online };
}

/** Converts a report's time to the server's clock, if the server's time is known by now. */
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
 * Tracks which boards are online: from the availability topics, whose retained messages the broker sends on
 * each connection, and from readings, because a reading after `offline` proves that a board is online.
 * @param changed is called when a board goes online or offline; `speaks` is false if the board's retained
 *   message was deleted
 */
export function createBoards(clock: Clock, changed: (plant: string, speaks: boolean) => void) {
  const known = new Map<string, BoardReport>();
  /** By plant: the uptime at which its board was last reported, the oldest first. */
  const toldAt = new Map<string, number>();
  const passedOver = new Set<string>();
  const untold = new Set<string>();
  /** Topics with a payload that was not understood. Each is logged once, until a payload is understood. */
  const notUnderstood = new Set<string>();
  /** By plant: the uptime at its board's message, while the report's `at` is by this machine's wall clock. */
  const uptimes = new Map<string, number>();
  /** By plant: the uptimes at which its board went offline recently. */
  const losses = new Map<string, number[]>();

  function lost(plant: string): void {
    const before = losses.get(plant) ?? [];
    losses.set(plant, [...before, clock.uptime()].slice(-LOST_OFTEN.times));
  }

  /** Records whether a board is online, if this has changed. */
  function note(plant: string, online: boolean | null, message: MqttMessage): void {
    const before = known.get(plant);
    if (before === undefined && known.size >= BOARDS_MAX) {
      passOver(plant);
      return;
    }
    // If the known `offline` is a retained message of unknown age, a new `offline` also counts as a change.
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
    /** Reports for one heartbeat: first the boards that changed, then boards whose last report is too old. */
    report: (): BoardReport[] =>
      [...untold, ...dueAgain()]
        .slice(0, BOARDS_PER_HEARTBEAT)
        .flatMap((plant) => known.get(plant) ?? [])
        .map((report) => putRight(report, uptimes, clock)),
    told: (reports: readonly BoardReport[]): void => {
      for (const report of reports) {
        const { plant } = report;
        // Sends the report again if the board has changed since, or if its time is by this machine's own
        // clock: the server's time in the answer corrects that time.
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
