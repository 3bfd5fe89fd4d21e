/** `npm run bench -- scores`: grading 1,000 pasted rows anew, and dragging a cut-off on a slow processor. */
import type { CDPSession, Page } from 'playwright-core';
import { inBrowser } from './browser.ts';
import { type Task, tasksDuring, tasksText } from './main-thread.ts';
import { printTable, quantile, type Row } from './table.ts';
import { gradeStudents, studentsInTable } from '../../web/src/features/scores/grading/graded-class.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK, withMethod } from '../../web/src/features/scores/work.ts';

const STUDENTS = 1000;
const ROUNDS = 60;
const CPU_SLOWDOWN = 4;
const DRAG_STEPS = 120;

/** Many ties, some missing scores, absences: a class as they are. */
const text = [
  '이름\t학번\t총점\t결석',
  ...Array.from({ length: STUDENTS }, (_, at) => {
    const score = at % 97 === 0 ? '결시' : 30 + ((at * 7919) % 141) / 2;
    return `나린솔${at}\t${202_600_000 + at}\t${score}\t${at % 9}`;
  }),
].join('\n');

/** The rule with its reasons, without a screen. */
function benchRule(): Row[] {
  const work = withTable(EMPTY_WORK, text);
  const students = studentsInTable(work);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS * 10; round++) {
    const changed = withMethod(work, round % 2 === 0 ? 'relaxed' : 'relative');
    const started = performance.now();
    gradeStudents(students, changed);
    times.push(performance.now() - started);
  }
  return [{ figure: 'the rule and its reasons, in Node', value: spread(times), target: 'part of the next' }];
}

async function benchScreen(page: Page): Promise<Row[]> {
  await page.goto('/manage_scores');
  await page.getByLabel('점수 표', { exact: true }).fill(text);
  await page.getByText(`(${STUDENTS}명 기준)`).waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const regrades = await regradeTimes(page, cdp);
  const tasks = await dragTasks(page, cdp);
  return [
    { figure: 'another method: script until it is drawn', value: spread(regrades), target: '< 16 ms' },
    {
      figure: `a cut-off dragged over ${DRAG_STEPS} places, CPU ${CPU_SLOWDOWN} times slower: longest task`,
      value: tasksText(tasks),
      target: '≤ 50 ms',
    },
  ];
}

/** Milliseconds of script from the choice of another method until the table shows its grades. */
async function regradeTimes(page: Page, cdp: CDPSession): Promise<number[]> {
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const before = await scriptMilliseconds(cdp);
    await page.evaluate(
      async (isRelaxed) => {
        document.querySelectorAll<HTMLInputElement>('input[name=method]')[isRelaxed ? 1 : 0]?.click();
        // Two frames: the table may follow the picture in a frame of its own.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      },
      round % 2 === 0,
    );
    const after = await scriptMilliseconds(cdp);
    // The first rounds warm up.
    if (round >= 0) times.push(after - before);
  }
  return times;
}

async function scriptMilliseconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1000;
}

/** Tasks of the page's main thread while a cut-off is dragged to and fro. */
async function dragTasks(page: Page, cdp: CDPSession): Promise<Task[]> {
  const handle = page.locator('[data-cutoff="B 컷"]');
  await handle.scrollIntoViewIfNeeded();
  const box = await handle.boundingBox();
  if (!box) throw new Error('there is no cut-off to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.mouse.move(x, y);
  const tasks = await tasksDuring(page, async () => {
    await page.mouse.down();
    for (let step = 1; step <= DRAG_STEPS; step++) {
      await page.mouse.move(x + 150 * Math.sin((step / DRAG_STEPS) * 4 * Math.PI), y);
    }
    await page.mouse.up();
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return tasks;
}

function spread(times: number[]): string {
  const ms = (at: number) => quantile(times, at).toFixed(1);
  return `p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms, most ${ms(1)} ms`;
}

await inBrowser('admin@lab.test', async ({ page }) => {
  printTable(`Grading ${STUDENTS} pasted rows`, [...benchRule(), ...(await benchScreen(page))]);
});
