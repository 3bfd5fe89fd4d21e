import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** wrangler's output when it failed. */
export class WranglerError extends Error {}

type Options = {
  cwd?: string;
  /** Written to standard input; without it wrangler neither prompts nor waits for input. */
  input?: string;
  env?: Record<string, string>;
};

/**
 * Runs the wrangler on the PATH, unattended.
 * @returns its standard output
 * @throws WranglerError with all of its output
 */
export function wrangler(args: string[], { cwd = '.', input = '', env = {} }: Options = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrangler', args, {
      cwd,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
      stdio: 'pipe',
      shell: process.platform === 'win32',
    });
    const output = { all: '', stdout: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      output.stdout += chunk.toString();
      output.all += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => (output.all += chunk.toString()));
    // It may exit without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => reject(new WranglerError(`wrangler cannot be run: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve(output.stdout);
      else
        reject(
          new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} ended with ${code}\n${said(output.all)}`),
        );
    });
  });
}

/** Like `wrangler`, but returns its machine-readable output: one object per event. */
export async function wranglerEvents(args: string[], options: Options = {}): Promise<unknown[]> {
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

/** Its words without colours, which it also writes where nobody sees them, and without where it logged. */
const said = (output: string) =>
  stripVTControlCharacters(output)
    .replace(/^\S* *Logs were written to .*$/mu, '')
    .replace(/\n{2,}/g, '\n')
    .trim();

/** The first JSON value in wrangler's output, which may begin with a banner or a warning. */
export function jsonIn(output: string): unknown {
  const start = /^[[{]/m.exec(output)?.index;
  if (start === undefined) throw new WranglerError(`wrangler answered without JSON:\n${output.trim()}`);
  return JSON.parse(output.slice(start));
}
