/** What kept a page's main thread, as the browser's own trace tells it. */
import type { Page } from 'playwright-core';

/** Milliseconds on the wall, and of the processor: a busy machine makes every task longer on the wall alone. */
export type Task = { wall: number; processor: number };

/** The main thread's tasks while `what` runs. */
export async function tasksDuring(page: Page, what: () => Promise<void>): Promise<Task[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await what();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const trace: unknown = JSON.parse((await browser.stopTracing()).toString('utf8'));
  return mainThreadTasks(trace);
}

export const isLong = ({ processor }: Task) => processor > 50;

export const longestOf = (tasks: readonly Task[]): Task => ({
  wall: Math.max(...tasks.map(({ wall }) => wall)),
  processor: Math.max(...tasks.map(({ processor }) => processor)),
});

export function tasksText(tasks: readonly Task[]): string {
  const { wall, processor } = longestOf(tasks);
  const long = tasks.filter(isLong).length;
  return `${processor.toFixed(1)} ms of the processor (${wall.toFixed(1)} on the wall), ${long} of ${tasks.length} over 50 ms`;
}

/** `dur` is the time on the wall, `tdur` that of the processor, in microseconds. */
type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
};

/** The tasks of the busiest thread that draws a page. */
function mainThreadTasks(trace: unknown): Task[] {
  const events = eventsOf(trace);
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const tasksOf = (thread: TraceEvent) =>
    events.flatMap(({ name, pid, tid, dur = 0, tdur = 0 }) =>
      name === 'RunTask' && pid === thread.pid && tid === thread.tid
        ? [{ wall: dur / 1000, processor: tdur / 1000 }]
        : [],
    );
  const busiest = threads.map(tasksOf).sort((a, b) => b.length - a.length)[0];
  if (!busiest || busiest.length === 0) throw new Error('the trace has no tasks');
  return busiest;
}

function eventsOf(trace: unknown): TraceEvent[] {
  const isTrace = typeof trace === 'object' && trace !== null && 'traceEvents' in trace;
  if (!isTrace || !Array.isArray(trace.traceEvents)) throw new Error('the browser gave no trace');
  const events: TraceEvent[] = trace.traceEvents;
  return events;
}
