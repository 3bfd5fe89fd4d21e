import { MINUTE_MS } from '#contract/time';

/** Whether a part of a cron expression (`*`, `*` with a step, or a number) means this value. */
function means(part: string, value: number): boolean {
  const step = /^\*\/([1-9][0-9]?)$/.exec(part)?.[1];
  if (step !== undefined) return value % Number(step) === 0;
  return part === '*' || part === String(value);
}

/**
 * Whether the expression names this minute, in UTC as Cloudflare counts it. Knows as much of cron as wrangler.toml uses.
 * @throws Error for an expression that says more
 */
export function isDue(cron: string, at: Date): boolean {
  const parts = cron.split(' ');
  if (parts.length !== 5 || !parts.every((part) => /^(\*(\/[1-9][0-9]?)?|[0-9]{1,2})$/.test(part)))
    throw new Error(`the local run does not understand the schedule "${cron}"`);
  const values = [
    at.getUTCMinutes(),
    at.getUTCHours(),
    at.getUTCDate(),
    at.getUTCMonth() + 1,
    at.getUTCDay(),
  ];
  return parts.every((part, index) => means(part, values[index] ?? -1));
}

/** Calls `run` with each expression whenever its minute comes, as long as the process lives. */
export function startCrons(crons: readonly string[], run: (cron: string) => void): void {
  const now = Date.now();
  for (const cron of crons) isDue(cron, new Date(now));
  setTimeout(
    () => {
      const minute = new Date();
      for (const cron of crons) if (isDue(cron, minute)) run(cron);
      startCrons(crons, run);
    },
    // A little after the minute has begun: a timer may be early by a millisecond.
    MINUTE_MS - (now % MINUTE_MS) + 500,
  ).unref();
}
