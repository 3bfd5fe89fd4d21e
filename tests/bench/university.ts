/**
 * `npm run bench:university`: the boards of 200 groups on four bridges with the queue on, ten minutes at as many readings
 * a second as 50,000 boards send, each part killed once, and a minute of ten times as many. UNIVERSITY_SECONDS=20 is a
 * short form of it; UNIVERSITY_BOARDS, UNIVERSITY_DATABASES=1, UNIVERSITY_QUEUE=off and UNIVERSITY_SHARED=on (one broker whose messages the
 * bridges share) show the same otherwise.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { readVariables, onOff, wholeNumber } from '#contract/variables';
import { buildChanged } from '../../scripts/build.ts';
import { hasSecureMosquitto } from '../firmware-bridge/support/shipped-mosquitto.ts';
import { clearAway, counted, counting, folder, launch, until, type Part } from './ingest/parts.ts';
import { printTable, quantile, type Row } from './table.ts';
import { balance } from './university/balance.ts';
import { openCampus, type Campus } from './university/campus.ts';
import { watchDelays } from './university/delays.ts';
import { startRollUps } from './university/roll-ups.ts';
import { startMeter, type Use } from './university/meter.ts';

const GROUPS = 200;
/** 50,000 boards with a reading a minute each. */
const A_SECOND = Math.floor(50_000 / 60);
const FASTER = 10;
const FIRST_MOVE_MS = 5000;
const MEGABYTE = 1024 * 1024;

/** Every how many of the boards is watched: enough for a percentile, and few enough that watching takes nothing from what is watched. */
const WATCHED = 100;
/** So long nothing new may be stored before what is missing counts as lost. */
const STILL_MS = 30_000;

const read = readVariables(
  z.object({
    UNIVERSITY_SECONDS: wholeNumber(10, 86_400).default(600),
    UNIVERSITY_BOARDS: wholeNumber(GROUPS, 50_000).default(50_000),
    UNIVERSITY_DATABASES: wholeNumber(1, 9).default(3),
    UNIVERSITY_QUEUE: onOff('on'),
    UNIVERSITY_SHARED: onOff('off'),
  }),
  process.env,
);
if ('problems' in read || !hasSecureMosquitto) {
  const problems = 'problems' in read ? read.problems : ['needs Mosquitto (/usr/sbin/mosquitto) and openssl'];
  for (const problem of problems) console.error(`bench:university  ${problem}`);
  process.exit(1);
}
const {
  UNIVERSITY_SECONDS: seconds,
  UNIVERSITY_BOARDS: boards,
  UNIVERSITY_DATABASES: homes,
  UNIVERSITY_QUEUE: hasQueue,
  UNIVERSITY_SHARED: isShared,
} = read.values;

type Phase = {
  aSecond: number;
  /** Readings that the broker acknowledged. */
  acknowledged: number;
  /** From the first publish until the last acknowledgement, and from then until all was stored. */
  publishedMs: number;
  settledMs: number;
  /** From measurement to D1, of a share of the boards, in milliseconds. */
  delays: number[];
  use: Use;
};

/** `broker-1` is one of `brokers`. */
const kindOf = (name: string) => name.replace(/-[0-9]+$/, 's');

const publishedSchema = z.object({ began: z.number(), ended: z.number() });

/** Waits until all that was acknowledged is stored, or nothing has come for long. @returns when it was, by the clock */
async function settled({ d1 }: Campus, count: number): Promise<number> {
  const stored = counting(d1);
  let last = -1;
  let at = Date.now();
  for (;;) {
    const now = counted(stored);
    if (now !== last) at = Date.now();
    if (now >= count || Date.now() - at > STILL_MS) return at;
    last = now;
    await wait(500);
  }
}

/**
 * Boards publish for so long while, if asked, each part is killed once, one after the other.
 * @param back is told of each that was killed and runs again
 */
async function runPhase(
  campus: Campus,
  book: string,
  aSecond: number,
  lasts: number,
  first: number,
  killed: readonly string[] = [],
  back: (name: string) => void = () => undefined,
): Promise<Phase> {
  const before = counted(counting(campus.d1));
  const publisher = launch(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    'tests/bench/university/boards.ts',
    campus.accessFile,
    ...[aSecond, lasts, first].map(String),
    book,
  ]);
  await until('a reading is stored', () => (counted(counting(campus.d1)) > before ? true : undefined));
  const watch = watchDelays(
    campus.d1,
    campus.plants.filter((_, at) => at % WATCHED === 0),
    Date.now(),
  );
  const childrenOf = (parts: Record<string, Part>) =>
    Object.fromEntries(Object.entries(parts).map(([name, { child }]) => [name, child]));
  const meter = startMeter(() => childrenOf({ ...campus.parts, boards: publisher }));
  const pauseMs = (lasts * 1000) / (killed.length + 1);
  const startedAt = Date.now();
  let next = startedAt + pauseMs;
  for (const name of killed) {
    await wait(Math.max(0, next - Date.now()));
    const killedAt = Date.now();
    await campus.kill(name);
    const [after, away] = [killedAt - startedAt, Date.now() - killedAt].map((ms) => (ms / 1000).toFixed(1));
    console.log(`killed after ${after} s and away for ${away} s: ${name}`);
    back(name);
    next += pauseMs;
  }
  await until(
    'published',
    () => (publisher.child.exitCode === null ? undefined : true),
    lasts * 10_000 + 120_000,
  );
  if (publisher.child.exitCode !== 0) throw new Error(publisher.output());
  const use = meter.stop();
  const { began, ended } = publishedSchema.parse(JSON.parse(publisher.output()));
  const acknowledged = Math.floor((aSecond / GROUPS) * lasts) * GROUPS;
  const settledAt = await settled(campus, before + acknowledged);
  return {
    aSecond,
    acknowledged,
    publishedMs: ended - began,
    settledMs: Math.max(0, settledAt - ended),
    delays: watch.stop(),
    use,
  };
}

function rowsOf(
  { aSecond, acknowledged, publishedMs, settledMs, delays, use }: Phase,
  killed: boolean,
): Row[] {
  const at = `${aSecond} a second${killed ? ', each part killed once' : ''}`;
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => (quantile(delays, part) / 1000).toFixed(2));
  const busy = new Map<string, number>();
  for (const [name, processors] of use.processors) {
    const kind = kindOf(name);
    busy.set(kind, (busy.get(kind) ?? 0) + processors);
  }
  return [
    {
      figure: `${at}: acknowledged to the boards`,
      value: `${((acknowledged / publishedMs) * 1000).toFixed(0)} a second`,
      target: String(aSecond),
    },
    {
      figure: '  published → in D1, p50, p99, longest',
      value: `${p50}, ${p99}, ${longest} s`,
      target: 'p99 ≤ 10 s',
    },
    {
      figure: '  all stored, after the last acknowledgement',
      value: `${(settledMs / 1000).toFixed(1)} s`,
      target: 'no target',
    },
    ...[...busy].map(([name, processors]) => ({
      figure: `  processors that the ${name} kept busy`,
      value: processors.toFixed(2),
      target: `of ${availableParallelism()}`,
    })),
    {
      figure: '  processors that everything else kept busy, the bench with it',
      value: use.others.toFixed(2),
      target: `of ${availableParallelism()}`,
    },
  ];
}

const homesSchema = z.array(z.object({ home: z.string(), groups: z.int(), moving: z.int() }));

/** By where they are now. */
const movedGroups = (d1: Campus['d1']): string =>
  homesSchema
    .parse(
      d1
        .prepare(
          'SELECT home, count(*) AS groups, count(moving_to) AS moving FROM plant_homes GROUP BY home ORDER BY home',
        )
        .all(),
    )
    .map(({ home, groups, moving }) => `${home} ${groups}${moving > 0 ? ` (${moving} on their way)` : ''}`)
    .join(', ') || 'none';

await buildChanged(['bridge']);
let campus: Campus | undefined;
try {
  campus = await openCampus({ groups: GROUPS, boards, homes, hasQueue, isShared });
  const { d1, ingestUrl, parts } = campus;
  const book = join(folder(), 'acknowledged.sqlite');
  const killed = Object.keys(parts).filter((name) => name !== 'queue');
  let stopRollUps: (() => Promise<void>) | undefined;
  // The groups are divided while they are new: once the ingest worker, which is killed first, is back.
  const back = (name: string) => {
    if (name === 'ingest worker')
      stopRollUps = startRollUps(ingestUrl, homes > 1 ? FIRST_MOVE_MS : undefined);
  };
  const usual = await runPhase(campus, book, A_SECOND, seconds, 0, killed, back);
  const faster = await runPhase(campus, book, A_SECOND * FASTER, Math.ceil(seconds / 10), seconds * A_SECOND);
  await stopRollUps?.();
  // While a group moved, its readings were counted twice.
  await settled(campus, usual.acknowledged + faster.acknowledged);
  const { acknowledged, lost, missing, double, refused } = balance(d1, book);
  const byBridges = await campus.refusedByBridges();
  const memory = (name: string) =>
    Math.max(...[usual, faster].map(({ use }) => use.memory.get(name) ?? 0)) / MEGABYTE;
  const kinds = Map.groupBy(Object.keys(parts), kindOf);
  const rows: Row[] = [
    ...rowsOf(usual, true),
    ...rowsOf(faster, false),
    {
      figure: `lost of ${acknowledged} acknowledged`,
      value: `${lost} (refused, repetitions too: ${byBridges} by bridges, ${refused} behind the queue)`,
      target: '0',
    },
    { figure: 'stored twice', value: String(double), target: '0' },
    { figure: 'groups that were moved to another database', value: movedGroups(d1), target: 'no target' },
    ...[...kinds].map(([kind, names]) => ({
      figure: `memory of the ${kind} at most (PSS)`,
      value: `${names.map((name) => memory(name).toFixed(0)).join(', ')} MB`,
      target: kind === 'bridges' ? '≤ 200 MB each' : 'no target',
    })),
  ];
  if (lost > 0) console.error(`lost, by board and number: ${missing.join(', ')}`);
  await campus.stop();
  printTable(
    `${boards} boards of ${GROUPS} groups, ${kinds.get('bridges')?.length} bridges on ${kinds.get('brokers')?.length} brokers, queue ${hasQueue ? 'on' : 'off'}, ${homes} databases, ${seconds} s`,
    rows,
  );
} catch (error) {
  for (const [name, part] of Object.entries(campus?.parts ?? {}))
    console.error(`the last words of ${name}:\n${part.output().slice(-1500)}`);
  throw error;
} finally {
  clearAway();
}
