import { WranglerError } from './run-wrangler.ts';

/** Cloudflare's numbered errors, and what to do about them. docs/deploy.md repeats them. */
const hints: [RegExp, string][] = [
  [/\b10042\b/, 'enable R2 once: dash.cloudflare.com, R2 (free up to 10 GB; it asks for a card)'],
  [
    /\b10063\b|workers\.dev subdomain/,
    'open dash.cloudflare.com, Workers & Pages, once: it gives the account its workers.dev address',
  ],
  [
    /\b(10000|9109|6003)\b|nobody is logged in|set a CLOUDFLARE_API_TOKEN/,
    'run npx wrangler login; a token (CLOUDFLARE_API_TOKEN) needs the rights to edit Workers, D1, R2 and Pages',
  ],
  [
    /\b7406\b|\b7404\b|database.*(?:not found|could not be found)/i,
    'look at dash.cloudflare.com, D1: the database may have been deleted; npm run deploy creates it anew, npm run restore fills it',
  ],
  [
    /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|fetch failed/,
    'this computer does not reach Cloudflare; try again when it does',
  ],
  [/required secrets have not been set/, 'run npm run deploy again: it sets the secrets that are missing'],
  [
    / should answer: /,
    'a minute later it may answer; otherwise npx wrangler tail cps-lab-api (of another name: its API worker) shows why',
  ],
];

export function hintFor(reason: string): string | undefined {
  return hints.find(([pattern]) => pattern.test(reason))?.[1];
}

/** What to do about an error of wrangler, or one that was thrown for it. */
export function hintFrom(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof WranglerError ? hintFor(error.message) : hintFrom(error.cause);
}
