/**
 * `npm run bench -- disk`: what a reading writes to the disk of the machine that runs broker and bridge. Mosquitto as it is
 * shipped, 20 boards over TLS, and the bundled bridge. A laboratory's readings come one by one, so each is
 * published when the one before has gone its way. DISK_FOLDER names a folder on the disk that is measured.
 */
import { buildChangedParts } from '../../scripts/build/build.ts';
import { hasMosquitto } from '../firmware-bridge/support/shipped-mosquitto.ts';
import { launchIngest } from '../support/ingest-worker.ts';
import { launchLab, NOWHERE, newestIn, type Lab } from './disk/lab.ts';
import { perReading, writing, type Written } from './disk/written.ts';
import { clearAway, counted, counting, folder, launchBridge, until } from './ingest/parts.ts';
import { printTable } from './table.ts';

/** Twenty boards that send a reading a minute. */
const DAY = 20 * 60 * 24;
/** Enough where a reading costs the same whatever came before it. */
const SOME = 1440;

/** One reading after the other, each followed the whole way. */
async function follow(lab: Lab, count: number, hasArrived: (n: number) => boolean): Promise<void> {
  for (let n = 1; n <= count; n++) {
    await lab.publish();
    await until('it has arrived', () => (hasArrived(n) ? true : undefined));
  }
}

async function bridgeThere(): Promise<Written> {
  const ingest = await launchIngest(folder());
  const d1 = ingest.openFile({ readOnly: true });
  const stored = counting(d1);
  const lab = await launchLab();
  const bridge = await launchBridge(lab.broker, ingest.url, lab.disk);
  const before = counted(stored);
  const written = writing(lab.disk, { broker: lab.broker.part, bridge });
  await follow(lab, SOME, (n) => counted(stored) === before + n);
  const result = written();
  await bridge.end();
  await lab.stop();
  d1.close();
  await ingest.stop();
  return result;
}

async function ingestAway(): Promise<Written> {
  const lab = await launchLab();
  const bridge = await launchBridge(lab.broker, NOWHERE, lab.disk);
  const newest = newestIn(lab);
  const before = newest.id();
  const written = writing(lab.disk, { broker: lab.broker.part, bridge });
  await follow(lab, SOME, (n) => newest.id() === before + n);
  const result = written();
  newest.close();
  await bridge.end();
  await lab.stop();
  return result;
}

/** The broker alone: each reading costs as much more as the queue is longer. */
async function bridgeAway(count: number): Promise<Written> {
  const lab = await launchLab();
  const written = writing(lab.disk, { broker: lab.broker.part });
  for (let n = 0; n < count; n++) await lab.publish();
  const result = written();
  await lab.stop();
  return result;
}

/** What a day writes, foreseen from a part of it and its half: a reading's share grows evenly with the queue. */
function foreseen(half: number, part: number, count: number): number {
  const growth = (2 * (part - 2 * half)) / count ** 2;
  const first = part / count - growth * count;
  return DAY * (first + growth * DAY);
}

if (!hasMosquitto) {
  console.error('npm run bench -- disk needs Mosquitto (/usr/sbin/mosquitto) and openssl');
  process.exit(1);
}
await buildChangedParts(['bridge', 'ingest worker']);
const chosen = process.argv[2];
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB a day`;
const rows = [];
try {
  const scenarios = {
    'bridge there': bridgeThere,
    'bridge there, ingest worker away': ingestAway,
  };
  for (const [figure, scenario] of Object.entries(scenarios)) {
    if (chosen !== undefined && chosen !== scenario.name) continue;
    const written = await scenario();
    rows.push({ figure, value: perReading(written, SOME), target: mb((written.parts / SOME) * DAY) });
  }
  if (chosen === undefined || chosen === bridgeAway.name) {
    const [half, part] = [await bridgeAway(SOME / 2), await bridgeAway(SOME)];
    rows.push({
      figure: `bridge away, the first ${SOME}`,
      value: perReading(part, SOME),
      target: `${mb(foreseen(half.parts, part.parts, SOME))}, foreseen`,
    });
  }
} finally {
  clearAway();
}
printTable('Bytes that a reading writes', rows);
