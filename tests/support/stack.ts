import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFailed, type RunnerTestCase } from 'vitest';
import { freePorts } from './ports.ts';
import { noteRoutesOf } from './reached-routes.ts';

const READY_WITHIN_MS = 110_000;
/** The command that `npm start` runs with the project's Node. */
const START = [process.execPath, '--disable-warning=ExperimentalWarning', 'local/start.ts'];

/** The whole product in separate processes, with new ports and a new data folder. */
export type Stack = {
  origin: string;
  ingestUrl: string;
  brokerUrl: string;
  bridgeHealthUrl: string;
  dataDir: string;
  /** The output until now. */
  output: () => string;
  /** Resolves when a line of the output matches. */
  untilPrinted: (pattern: RegExp) => Promise<void>;
  process: ChildProcess;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Ends the product and removes its data folder. */
  stop: () => Promise<void>;
};

/** Starts the product as `npm start` does, after a build. Resolves when it prints that it is ready. */
export async function startStack(env: Record<string, string> = {}, command = START): Promise<Stack> {
  const stack = await launchStack(env, command);
  const tooLate = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not ready in time:\n${stack.output()}`)), READY_WITHIN_MS).unref();
  });
  const ended = stack.ended.then((code) => {
    throw new Error(`ended with ${code} before it was ready:\n${stack.output()}`);
  });
  await Promise.race([stack.untilPrinted(/^ready http/m), tooLate, ended]);
  return stack;
}

/** Starts the product without waiting for it. */
export async function launchStack(env: Record<string, string> = {}, command = START): Promise<Stack> {
  const [port, ingestPort, mqttPort, bridgePort] = await freePorts(4);
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'cps-lab-'));
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: {
      ...process.env,
      PORT: String(port),
      INGEST_PORT: String(ingestPort),
      MQTT_PORT: String(mqttPort),
      BRIDGE_PORT: String(bridgePort),
      DATA_DIR: dataDir,
      // Logs every request, for `reached-routes.ts`.
      LOG_LEVEL: 'debug',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  noteRoutesOf(() => output);
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    origin: `http://127.0.0.1:${env.PORT ?? port}`,
    ingestUrl: `http://127.0.0.1:${env.INGEST_PORT ?? ingestPort}`,
    brokerUrl: env.MQTT_URL ?? `mqtt://127.0.0.1:${env.MQTT_PORT ?? mqttPort}`,
    bridgeHealthUrl: `http://127.0.0.1:${env.BRIDGE_PORT ?? bridgePort}/health`,
    dataDir,
    output: () => output,
    untilPrinted: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!pattern.test(output)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    process: child,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The beginning of the paths of a failed test's files. */
export function resultsOf({ file, name, id }: RunnerTestCase): string {
  mkdirSync('test-results', { recursive: true });
  const title = name.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 60);
  return join('test-results', `${basename(file.name, '.test.ts')}-${title}-${id.split('_').at(-1)}`);
}

/** Writes the output of the stack into test-results if the running test fails. */
export function keepLogsOnFailure(stack: Stack): void {
  onTestFailed(({ task }) => {
    writeFileSync(`${resultsOf(task)}-${new URL(stack.origin).port}.log`, stack.output());
  });
}
