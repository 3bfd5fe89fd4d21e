import { plantNameSchema } from '#contract/plants';
import { BOARDS_PER_HEARTBEAT, type BoardReport } from '#contract/readings';
import type { Clock } from './clock.ts';
import type { Message } from './decode.ts';
import { log } from './log.ts';

export const availabilityTopicOf = (plant: string) => `lab/plants/${plant}/availability`;
export const AVAILABILITY_FILTER = availabilityTopicOf('+');
const TOPIC = /^lab\/plants\/([^/]+)\/availability$/;

/** Maximum number of boards remembered; others are ignored. */
export const BOARDS_MAX = 10_000;

/** The boards' presence, by their availability topics. The broker resends all of it with each connection. */
export type Boards = {
  /** Handles the message if it is about a board's availability; returns whether it was. */
  heard: (message: Message) => boolean;
  /** Reports for one heartbeat: unsent changes first, then those reported longest ago. */
  report: () => BoardReport[];
  told: (reports: readonly BoardReport[]) => void;
};

/** @param changed called when a board goes online or offline */
export function createBoards(clock: Clock, changed: (plant: string) => void): Boards {
  const known = new Map<string, BoardReport>();
  const untold = new Set<string>();
  /** Topics of which the log has told that they are not understood: once, until they are. */
  const notUnderstood = new Set<string>();
  /** Uptimes at which boards were heard whose `at` is still by this machine's own wall clock. */
  const uptimes = new Map<string, number>();

  function putRight(report: BoardReport): BoardReport {
    const uptime = uptimes.get(report.plant);
    const serverOffset = clock.serverOffset();
    if (uptime === undefined || serverOffset === null) return report;
    uptimes.delete(report.plant);
    report.at = new Date(serverOffset + uptime).toISOString();
    return report;
  }

  return {
    heard: (message) => {
      const [, name] = TOPIC.exec(message.topic) ?? [];
      if (name === undefined) return false;
      const plant = plantNameSchema.safeParse(name);
      const word = Buffer.from(message.payload).toString();
      if (!plant.success || (word !== 'online' && word !== 'offline')) {
        if (notUnderstood.has(message.topic) || notUnderstood.size >= BOARDS_MAX) return true;
        notUnderstood.add(message.topic);
        log('warn', 'availability_not_understood', { topic: message.topic });
        return true;
      }
      notUnderstood.delete(message.topic);
      const online = word === 'online';
      const before = known.get(plant.data);
      if (before?.online === online || (before === undefined && known.size >= BOARDS_MAX)) return true;
      const at = new Date(message.receivedAt).toISOString();
      known.set(plant.data, { plant: plant.data, online, at });
      if (typeof message.stampedBy === 'object') uptimes.set(plant.data, message.stampedBy.uptime);
      else uptimes.delete(plant.data);
      untold.add(plant.data);
      changed(plant.data);
      return true;
    },
    report: () => {
      const first = [...untold].flatMap((plant) => known.get(plant) ?? []);
      const others = [...known.values()].filter(({ plant }) => !untold.has(plant));
      return [...first, ...others].slice(0, BOARDS_PER_HEARTBEAT).map(putRight);
    },
    told: (reports) => {
      for (const report of reports) {
        // It may have changed while the heartbeat was being sent.
        if (known.get(report.plant) !== report) continue;
        untold.delete(report.plant);
        known.delete(report.plant);
        known.set(report.plant, report);
      }
    },
  };
}
