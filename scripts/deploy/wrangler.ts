import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment } from '../command-environment.ts';
import { WranglerError, type Wrangler, type WranglerOptions } from './run-wrangler.ts';

export { WranglerError } from './run-wrangler.ts';

/** Calls wrangler with the environment of the running command. */
export const wrangler: Wrangler = (args, options = {}) =>
  commandEnvironment().wrangler(args, { ...options, env: { ...commandEnvironment().env, ...options.env } });

/** Like `wrangler`, but returns the events that wrangler writes as JSON. */
export async function wranglerEvents(args: string[], options: WranglerOptions = {}): Promise<unknown[]> {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-wrangler-'));
  try {
    const file = join(place, 'events.ndjson');
    await wrangler(args, { ...options, env: { ...options.env, WRANGLER_OUTPUT_FILE_PATH: file } });
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The first JSON value in wrangler's output. A banner or a warning may come before it. */
export function parseJsonOutput(output: string): unknown {
  const start = /^[[{]/m.exec(output)?.index;
  if (start === undefined) throw new WranglerError(`wrangler did not answer in JSON:\n${output.trim()}`);
  return JSON.parse(output.slice(start));
}
