import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** wrangler has failed. The error's message is wrangler's output. */
export class WranglerError extends Error {}

export type WranglerOptions = {
  cwd?: string;
  /** The text for standard input. It is empty by default, so that wrangler does not wait for an answer. */
  input?: string;
  env?: Record<string, string | undefined>;
};

/**
 * Calls wrangler once. wrangler asks the operator nothing.
 * @returns wrangler's standard output
 * @throws WranglerError with all output of wrangler
 */
export type Wrangler = (args: string[], options?: WranglerOptions) => Promise<string>;

/** SQL contains names of people, and others can read command lines. So it goes into the environment. */
function hiding(
  args: string[],
  env: WranglerOptions['env'],
): { shown: string[]; env: WranglerOptions['env'] } {
  const at = args.indexOf('--command');
  if (at === -1) return { shown: args, env };
  const preload = `--import=${new URL('hidden-arguments.mjs', import.meta.url).href}`;
  return {
    shown: args.toSpliced(at, 2),
    env: {
      ...env,
      HIDDEN_ARGUMENTS: JSON.stringify(args.slice(at, at + 2)),
      NODE_OPTIONS: `${env?.['NODE_OPTIONS'] ?? ''} ${preload}`.trim(),
    },
  };
}

/** Runs the program `wrangler` that the PATH finds. */
export const runWrangler: Wrangler = (args, { cwd = '.', input = '', env = process.env } = {}) =>
  new Promise((resolve, reject) => {
    const { shown, env: around } = hiding(args, env);
    const child = spawn('wrangler', shown, {
      cwd,
      env: { ...around, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: 'pipe',
      shell: process.platform === 'win32',
    });
    const output = { all: '', stdout: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      output.stdout += chunk.toString();
      output.all += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => (output.all += chunk.toString()));
    // wrangler may exit before it has read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => reject(new WranglerError(`wrangler cannot be run: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve(output.stdout);
      else reject(wranglerFailure(args, code, output.all));
    });
  });

/** The error for a call of wrangler that has failed. */
export const wranglerFailure = (args: readonly string[], code: number | null, output: string) =>
  new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} exited with ${code}\n${said(output)}`);

/**
 * Removes from wrangler's output the colours (which wrangler writes even into a pipe), the path of its log
 * file, and its advice to continue with a temporary account (`--temporary`).
 */
const said = (output: string) =>
  stripVTControlCharacters(output)
    .replace(/^\S* *Logs were written to .*$/mu, '')
    .replace(/^.*\bwithout logging in\b.*--temporary.*$/gmu, '')
    .replace(/\n{2,}/g, '\n')
    .trim();

/** Cloudflare's errors by number, and what to do about them. docs/deploy.md has the same list. */
const hints: [RegExp, string][] = [
  [/\b10042\b/, 'enable R2 once: dash.cloudflare.com, R2 (free up to 10 GB; it asks for a card)'],
  [
    /\b10063\b|workers\.dev subdomain/,
    'open dash.cloudflare.com, Workers & Pages, once: this first visit gives the account its workers.dev address',
  ],
  [
    /\b(10000|9109|6003)\b|nobody is logged in|set a CLOUDFLARE_API_TOKEN/,
    'run npx wrangler login; a token (CLOUDFLARE_API_TOKEN) needs the rights to edit Workers, D1, R2 and Pages',
  ],
  [
    /\b7406\b|\b7404\b|database.*(?:not found|could not be found)/i,
    'look at dash.cloudflare.com, D1: the database may be deleted; npm run deploy creates it again, npm run restore fills it',
  ],
  [
    /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|fetch failed/,
    'this computer cannot reach Cloudflare: check its network, then try again',
  ],
  [/required secrets have not been set/, 'run npm run deploy again: it sets the missing secrets'],
  [
    / should answer: /,
    'try again in a minute; if it still fails, npx wrangler tail cps-lab-api (with another name: its API worker) shows why',
  ],
];

export function wranglerErrorHint(reason: string): string | undefined {
  return hints.find(([pattern]) => pattern.test(reason))?.[1];
}

/** What to do about an error by wrangler, or about an error whose cause is such an error. */
export function errorHint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof WranglerError ? wranglerErrorHint(error.message) : errorHint(error.cause);
}
