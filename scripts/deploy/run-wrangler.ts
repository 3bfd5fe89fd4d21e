import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** wrangler's output when it failed. */
export class WranglerError extends Error {}

export type WranglerOptions = {
  cwd?: string;
  /** Written to standard input; without it wrangler neither prompts nor waits for input. */
  input?: string;
  env?: Record<string, string | undefined>;
};

/**
 * One call of wrangler, unattended.
 * @returns its standard output
 * @throws WranglerError with all of its output
 */
export type Wrangler = (args: string[], options?: WranglerOptions) => Promise<string>;

/** Runs the wrangler on the PATH. */
export const runWrangler: Wrangler = (args, { cwd = '.', input = '', env = process.env } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn('wrangler', args, {
      cwd,
      env: { ...env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', FORCE_COLOR: undefined },
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
      else reject(failureOf(args, code, output.all));
    });
  });

/** The error of a call that ended with another status than 0. */
export const failureOf = (args: readonly string[], code: number | null, output: string) =>
  new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} ended with ${code}\n${said(output)}`);

/** Its words without colours, which it also writes where nobody sees them, and without where it logged. */
const said = (output: string) =>
  stripVTControlCharacters(output)
    .replace(/^\S* *Logs were written to .*$/mu, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
