import { MINUTE_MS } from '#contract/time';

/** Whether a field of a cron expression (`*`, `*` with a step, or a number) matches the value. */
function means(part: string, value: number): boolean {
  const step = /^\*\/([1-9][0-9]?)$/.exec(part)?.[1];
  if (step !== undefined) return value % Number(step) === 0;
  return part === '*' || part === String(value);
}

/**
 * Whether the expression matches this minute, in UTC as on Cloudflare. It may have only the syntax that
 * wrangler.toml uses.
 * @throws Error for an expression with other syntax
 */
export function isCronDue(cron: string, at: Date): boolean {
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

/** Calls `run` with each expression in its minutes, until the process ends. */
export function startCrons(crons: readonly string[], run: (cron: string) => void): void {
  const now = Date.now();
  for (const cron of crons) isCronDue(cron, new Date(now));
  setTimeout(
    () => {
      const minute = new Date();
      for (const cron of crons) if (isCronDue(cron, minute)) run(cron);
      startCrons(crons, run);
    },
    // Runs half a second late, because a timer may fire a millisecond too early.
    MINUTE_MS - (now % MINUTE_MS) + 500,
  ).unref();
}
