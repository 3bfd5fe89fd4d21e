import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import type { Row } from '../table.ts';
import { counted, counting, publish } from './parts.ts';
import { settled, startSystem } from './system.ts';

const KILLS = 10;
const COUNT = 60_000;
const IN_FLIGHT = 100;
const A_SECOND = 1000;
/** So that bridge and board are mostly back by the next. */
const PAUSE = { leastMs: 4000, mostMs: 7000 };

/** Ten kills while readings come, at moments that depend on nothing else. */
export async function lostToBroker(repeats: number, random = seededRandom(repeats)): Promise<Row> {
  const system = await startSystem();
  const stored = counting(system.d1);
  const publishing = publish(system.broker, COUNT, IN_FLIGHT, { aSecond: A_SECOND, repeats });
  for (let kill = 0; kill < KILLS; kill++) {
    await wait(PAUSE.leastMs + random() * (PAUSE.mostMs - PAUSE.leastMs));
    await system.broker.part.end('SIGKILL');
    system.broker.part = await system.broker.restart();
  }
  await publishing;
  await settled(system, COUNT);
  const lost = COUNT - counted(stored);
  await system.bridge.end();
  await system.stop();
  const board = repeats === 0 ? 'a board that repeats nothing' : `a board that repeats its last ${repeats}`;
  return {
    figure: `SIGKILL of the broker at ${A_SECOND} a second, ${KILLS} times, ${board}`,
    value: `${lost} of ${COUNT} lost`,
    target: repeats === 0 ? 'for comparison' : '0',
  };
}
