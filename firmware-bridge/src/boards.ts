import { plantNameSchema } from '#contract/plants';
import { BOARDS_PER_HEARTBEAT, type BoardReport } from '#contract/readings';
import type { Clock } from './clock.ts';
import type { Message } from './decode.ts';
import { log } from './log.ts';

export const AVAILABILITY_FILTER = 'lab/plants/+/availability';
const TOPIC = /^lab\/plants\/([^/]+)\/availability$/;

/** Most boards that are remembered; what others say is passed over. */
const BOARDS_MAX = 10_000;

/** Which boards are there, by their availability topics. The broker tells all of it again with each connection. */
export type Boards = {
  /** Takes the message if it is about a board's availability, and says so. */
  heard: (message: Message) => boolean;
  /** For one heartbeat: first what changed since it was told, then those told longest ago. */
  report: () => BoardReport[];
  /** The report arrived. */
  told: (reports: readonly BoardReport[]) => void;
};

/** @param changed called when a board comes or goes */
export function createBoards(clock: Clock, changed: () => void): Boards {
  const known = new Map<string, BoardReport>();
  const untold = new Set<string>();
  /** When, by this machine's uptime, those were heard whose `at` is by its own wall clock. */
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
        log('warn', 'availability_not_understood', { topic: message.topic });
        return true;
      }
      const online = word === 'online';
      const before = known.get(plant.data);
      if (before?.online === online || (before === undefined && known.size >= BOARDS_MAX)) return true;
      const at = new Date(message.receivedAt).toISOString();
      known.set(plant.data, { plant: plant.data, online, at });
      if (typeof message.stampedBy === 'object') uptimes.set(plant.data, message.stampedBy.uptime);
      else uptimes.delete(plant.data);
      untold.add(plant.data);
      changed();
      return true;
    },
    report: () => {
      const first = [...untold].flatMap((plant) => known.get(plant) ?? []);
      const others = [...known.values()].filter(({ plant }) => !untold.has(plant));
      return [...first, ...others].slice(0, BOARDS_PER_HEARTBEAT).map(putRight);
    },
    told: (reports) => {
      for (const report of reports) {
        // It may have changed while the heartbeat was under way.
        if (known.get(report.plant) !== report) continue;
        untold.delete(report.plant);
        known.delete(report.plant);
        known.set(report.plant, report);
      }
    },
  };
}
