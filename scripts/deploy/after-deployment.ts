import { healthSchema } from '#contract/health';
import * as z from 'zod';

const providerSchema = z.object({ clientId: z.string() });

/** A request to a deployed address. `what` describes the response that is correct. */
type Check = {
  what: string;
  url: string;
  init?: RequestInit;
  isRight: (answer: Response) => Promise<boolean> | boolean;
};

function checksOf(site: string, ingest: string, clientId: string): Check[] {
  const status = (wanted: number) => (answer: Response) => answer.status === wanted;
  return [
    {
      what: 'the main page, with its security headers',
      url: `${site}/`,
      isRight: (answer) => answer.ok && answer.headers.has('content-security-policy'),
    },
    {
      what: 'a missing document: 404',
      url: `${site}/markdown/nothing-here.md`,
      isRight: status(404),
    },
    { what: 'the list of courses, from D1', url: `${site}/api/courses`, isRight: status(200) },
    {
      what: 'the sign-in status without a session: 401',
      url: `${site}/api/login/status`,
      init: { method: 'POST' },
      isRight: status(401),
    },
    { what: 'the students without a session: 401', url: `${site}/api/students`, isRight: status(401) },
    {
      what: "the site's client at Google",
      url: `${site}/api/login/provider`,
      isRight: async (answer) =>
        answer.ok && providerSchema.safeParse(await answer.json()).data?.clientId === clientId,
    },
    {
      what: 'health: API and ingest worker are up (a bridge may follow later)',
      url: `${site}/api/health`,
      isRight: async (answer) => {
        const parts = healthSchema.safeParse(await answer.json()).data?.parts;
        return parts?.api === true && parts.ingest;
      },
    },
    { what: 'the ingest worker', url: `${ingest}/health`, isRight: status(200) },
    {
      what: 'readings without a signature: 401',
      url: `${ingest}/readings`,
      init: { method: 'POST', body: '{"readings":[]}' },
      isRight: status(401),
    },
  ];
}

type Options = {
  site: string;
  ingest: string;
  clientId: string;
  /** How long to wait for correct responses: Cloudflare needs some seconds to deploy everywhere. */
  patienceMs: number;
  say: (line: string) => void;
};

/**
 * Checks the responses of the deployed addresses.
 * @throws Error naming each address that failed, with its actual response
 */
export async function smokeTest({ site, ingest, clientId, patienceMs, say }: Options): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const failures: string[] = [];
  for (const check of checksOf(site, ingest, clientId)) {
    const problem = await untilRight(check, deadline);
    if (problem === undefined) say(`ok: ${check.what}`);
    else failures.push(`${check.url} should answer: ${check.what}; it ${problem}`);
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

const PAUSE_MS = 1000;

async function untilRight({ url, init, isRight }: Check, deadline: number): Promise<string | undefined> {
  for (;;) {
    let problem: string;
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000), redirect: 'manual' });
      if (await isRight(answer)) return undefined;
      problem = `answered ${answer.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      problem = `did not answer (${cause instanceof Error ? cause.message : String(cause)})`;
    }
    if (Date.now() + PAUSE_MS > deadline) return problem;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
