import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** A call of wrangler failed; the message is wrangler's output. */
export class WranglerError extends Error {}

export type WranglerOptions = {
  cwd?: string;
  /** Written to standard input. By default that is empty, so that wrangler does not wait for an answer. */
  input?: string;
  env?: Record<string, string | undefined>;
};

/**
 * Calls wrangler once, without questions to the operator.
 * @returns its standard output
 * @throws WranglerError with all of its output
 */
export type Wrangler = (args: string[], options?: WranglerOptions) => Promise<string>;

/** Moves SQL, which has people's names, into the environment: other users can read command lines. */
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

/** Runs the program `wrangler` of the PATH. */
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
    // wrangler may exit without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => reject(new WranglerError(`wrangler cannot be run: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve(output.stdout);
      else reject(wranglerFailure(args, code, output.all));
    });
  });

/** The error for a call that has failed. */
export const wranglerFailure = (args: readonly string[], code: number | null, output: string) =>
  new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} exited with ${code}\n${said(output)}`);

/**
 * wrangler's output without colours (which it writes even into a pipe), without its log file's path, and
 * without its advice to continue with a temporary account (`--temporary`).
 */
const said = (output: string) =>
  stripVTControlCharacters(output)
    .replace(/^\S* *Logs were written to .*$/mu, '')
    .replace(/^.*\bwithout logging in\b.*--temporary.*$/gmu, '')
    .replace(/\n{2,}/g, '\n')
    .trim();

/** Cloudflare's numbered errors, and what to do about them. docs/deploy.md repeats them. */
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

/** What to do about an error of wrangler, or an error that it has caused. */
export function errorHint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof WranglerError ? wranglerErrorHint(error.message) : errorHint(error.cause);
}
