import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BRIDGE } from '../../support/ingest-worker.ts';
import { freePorts } from '../../support/ports.ts';

export type Part = {
  child: ChildProcess;
  output: () => string;
  end: (signal?: NodeJS.Signals) => Promise<void>;
};

const parts = new Set<ChildProcess>();
const folders: string[] = [];

/** A folder of its own for a figure. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
  folders.push(path);
  return path;
}

export function launch(command: string, args: string[], env: Record<string, string> = {}): Part {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  parts.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit').then(() => void parts.delete(child));
  return {
    child,
    output: () => output,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Ends what is left of the parts and removes what they wrote. */
export function clearAway(): void {
  for (const child of parts) child.kill('SIGKILL');
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}

export async function until<T>(
  what: string,
  check: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Mosquitto as it is shipped, but for the address and the place of its data, and, unless `safe`, for its habit of
 * writing its file after every message: with it the broker is the limit, whoever listens.
 */
export async function launchMosquitto(safe: boolean): Promise<{ url: string; part: Part }> {
  const data = folder();
  const [port] = await freePorts(1);
  const text = readFileSync('firmware-bridge/mosquitto/mosquitto.conf', 'utf8')
    .replace(/^listener 1883 .*$/m, `listener ${port} 127.0.0.1`)
    .replace(/^allow_anonymous .*$/m, 'allow_anonymous true')
    .replace(/^(listener 8883|certfile|keyfile|tls_version|password_file|acl_file|pid_file).*$/gm, '')
    .replace(/^persistence_location .*$/m, `persistence_location ${data}/`)
    .replace(/^autosave_on_changes .*$/m, `autosave_on_changes ${safe}`);
  writeFileSync(join(data, 'mosquitto.conf'), `${text}\nuser ${process.env.USER ?? 'root'}\n`);
  const part = launch('/usr/sbin/mosquitto', ['-c', join(data, 'mosquitto.conf')]);
  await until('Mosquitto runs', () => (part.output().includes('running') ? true : undefined));
  return { url: `mqtt://127.0.0.1:${port}`, part };
}

/** The bridge as it is deployed: the bundled file, as bridge.service runs it. */
export async function launchBridge(brokerUrl: string, ingestUrl: string, spool: string): Promise<Part> {
  const part = launch(process.execPath, ['--max-semi-space-size=2', 'dist/bridge/bridge.mjs'], {
    MQTT_URL: brokerUrl,
    BRIDGE_ID: BRIDGE.id,
    BRIDGE_KEY: BRIDGE.key,
    INGEST_URL: ingestUrl,
    SPOOL_FILE: join(spool, 'spool.sqlite'),
    HEALTH_PORT: '0',
  });
  await until('the bridge hears the broker', () =>
    part.output().includes('broker_connected') ? true : undefined,
  );
  return part;
}

/** Largest resident memory in bytes that the process ever had. */
export function peakMemory(part: Part): number {
  const status = readFileSync(`/proc/${part.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) * 1024;
}
