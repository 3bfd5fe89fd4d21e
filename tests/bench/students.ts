/** `npm run bench -- students`: the screens of students with as much in them as they are made for, in a real browser. */
import { randomBytes } from 'node:crypto';
import type { CDPSession, Page } from 'playwright-core';
import { xlsx } from '../support/xlsx.ts';
import { inBrowser } from './browser.ts';
import { tasksDuring, tasksText } from './main-thread.ts';
import { median, printTable, type Row } from './table.ts';

const STUDENTS = 5000;
const PHOTOGRAPHS = 100;
const PHOTOGRAPH_BYTES = 4_000_000;
const SLOWDOWN = 4;
const WORDS = ['김', '운영', 'ㅎㄱㄷ', '2099', '체제', '3123', 'ㅂㅅ', '자료'];

const names = ['강가온', '홍길동', '김하늘', '한그루', '백새봄', '서아름', '연한별'];
const idOf = (index: number) => String(209_900_000 + index);

async function benchImport(page: Page): Promise<Row[]> {
  let requests = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/api\/students\/?$/.test(request.url())) requests++;
  });
  await page.goto('/manage_students?tab=import');
  await page.getByLabel('과목', { exact: true }).fill('운영체제');
  const confirm = page.getByRole('button', { name: `${STUDENTS}명 추가` });
  let took = 0;
  const tasks = await tasksDuring(page, async () => {
    const started = performance.now();
    await page.getByLabel('명단', { exact: true }).evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, rosterText());
    await confirm.waitFor();
    took = performance.now() - started;
  });
  const shown = performance.now();
  await forgetTasks(page);
  await confirm.click();
  await page.getByText('추가 완료').first().waitFor();
  const stored = performance.now();
  return [
    row('paste to preview', `${Math.round(took)} ms`, '≤ 1100 ms'),
    row('longest task of it', tasksText(tasks), '≤ 50 ms of the processor'),
    row('confirm to stored', `${Math.round(stored - shown)} ms`, 'no target'),
    row('longest task of it', `${Math.round(await longestTask(page))} ms`, '≤ 100 ms'),
    row('requests', String(requests), '1'),
  ];
}

/** From choosing the file to the rows on the screen, and to what the server says of them. */
async function benchFile(page: Page): Promise<Row[]> {
  const rows = rosterText()
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
  await page.goto('/manage_students?tab=import');
  await page.getByLabel('과목', { exact: true }).fill('자료 구조');
  const file = page.getByLabel('명단 파일 선택');
  const buffer = Buffer.from(xlsx([{ name: '명단', rows }]));
  await forgetTasks(page);
  const started = performance.now();
  await file.setInputFiles({ name: '명단.xlsx', mimeType: '', buffer });
  await page.getByText(`1–10 / ${STUDENTS}`).waitFor();
  const shown = performance.now();
  await page.getByRole('button', { name: `${STUDENTS}명 저장` }).waitFor();
  const compared = performance.now();
  return [
    row('size', `${Math.round(buffer.length / 1024)} KB`, 'no target'),
    row('given to preview', `${Math.round(shown - started)} ms`, '≤ 1500 ms'),
    row('given to compared', `${Math.round(compared - started)} ms`, '≤ 1500 ms'),
    row('longest task of it', `${Math.round(await longestTask(page))} ms`, '≤ 50 ms'),
  ];
}

async function benchList(page: Page, session: CDPSession): Promise<Row[]> {
  await page.goto('/manage_students');
  await page.getByRole('row').nth(5).waitFor();
  await page.getByRole('combobox', { name: /행/ }).click();
  await page.evaluate(() => {
    document.addEventListener('pointerup', () => Object.assign(window, { chosenAt: performance.now() }), {
      capture: true,
      once: true,
    });
  });
  await page.getByRole('option', { name: '전체' }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 20);
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => resolve(performance.now() - Number(Reflect.get(window, 'chosenAt'))));
      }),
  );
  const elements = await page.getByRole('row').count();
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const field = page.getByRole('searchbox', { name: '검색' });
  const answers: Answer[] = [];
  for (const word of WORDS) {
    await field.fill('');
    await page.waitForTimeout(300);
    for (const letter of word) answers.push(await typeOne(page, letter));
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return [
    row("'all' chosen to painted", `${Math.round(painted)} ms`, '≤ 200 ms'),
    row('row elements in the page', String(elements), '≤ 100'),
    row(
      `a letter to the end of its frame at ${SLOWDOWN}×`,
      spread(answers.map(({ letter }) => letter)),
      'one frame: 16 ms and the wait for it',
    ),
    row(
      'a letter to the list that answers it',
      spread(answers.flatMap(({ list }) => list ?? [])),
      'no target',
    ),
  ];
}

/** ms from the event of a letter. */
type Answer = { letter: number; list: number | undefined };

const spread = (values: number[]) =>
  `${Math.round(median(values))} ms (at most ${Math.round(Math.max(...values))})`;

/** Types a letter and waits for what it does to the field and to the list. */
async function typeOne(page: Page, letter: string): Promise<Answer> {
  await page.evaluate(() => {
    const answer: { letter?: number; list?: number } = {};
    Object.assign(window, { answer });
    const count = document.querySelector('[role=tabpanel] p[aria-live]');
    if (!count) throw new Error('no count of students');
    document.addEventListener(
      'beforeinput',
      () => {
        const typedAt = performance.now();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => (answer.letter = performance.now() - typedAt), {
            once: true,
          });
          port1.start();
          port2.postMessage(0);
        });
        new MutationObserver((_, observer) => {
          answer.list = performance.now() - typedAt;
          observer.disconnect();
        }).observe(count, { subtree: true, characterData: true, childList: true });
      },
      { once: true, capture: true },
    );
  });
  await page.getByRole('searchbox', { name: '검색' }).focus();
  await page.keyboard.insertText(letter);
  await page.waitForFunction(() => Reflect.get(window, 'answer').letter !== undefined);
  await page.waitForTimeout(300);
  return await page.evaluate(() => {
    const { letter, list } = Reflect.get(window, 'answer');
    return { letter: Number(letter), list: list === undefined ? undefined : Number(list) };
  });
}

async function benchPictures(page: Page): Promise<Row[]> {
  const sizes: number[] = [];
  await page.goto('/manage_students?tab=pictures');
  const photograph = await noisePicture(page);
  await page.getByLabel('사진을 고르거나 여기에 놓으세요').waitFor();
  await page.evaluate(
    ({ base64, ids }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
      const chosen = new DataTransfer();
      for (const id of ids) chosen.items.add(new File([bytes], `${id}.jpg`, { type: 'image/jpeg' }));
      const field = document.querySelector<HTMLInputElement>('input[type=file]');
      if (!field) throw new Error('no field for files');
      field.files = chosen.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    },
    { base64: photograph.toString('base64'), ids: Array.from({ length: PHOTOGRAPHS }, (_, at) => idOf(at)) },
  );
  const start = page.getByRole('button', { name: `사진 ${PHOTOGRAPHS}장 업로드` });
  await start.waitFor();
  await forgetTasks(page);
  const started = performance.now();
  await start.click();
  await page.getByText(`저장된 사진 ${PHOTOGRAPHS}장.`).waitFor({ timeout: 600_000 });
  const took = performance.now() - started;
  const longest = await longestTask(page);
  for (const at of [0, 1, PHOTOGRAPHS - 1]) {
    const answer = await page.request.get(`/api/students/pictures/${idOf(at)}`);
    sizes.push((await answer.body()).length);
  }
  return [
    row('each as chosen', `${(photograph.length / 1e6).toFixed(1)} MB`, `${PHOTOGRAPH_BYTES / 1e6} MB`),
    row('largest stored', `${Math.round(Math.max(...sizes) / 1024)} KB`, '≤ 300 KB'),
    row('start to the last one stored', `${(took / 1000).toFixed(1)} s`, 'no target'),
    row('longest task meanwhile', `${Math.round(longest)} ms`, '≤ 100 ms'),
  ];
}

/** A photograph of noise, 12 megapixels, filled up to its size behind its last marker's comment. */
async function noisePicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4000, 3000);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    for (let at = 0; at < 6000; at++) {
      context.fillStyle = `hsl(${(at * 47) % 360} 60% ${20 + ((at * 31) % 60)}%)`;
      context.fillRect((at * 977) % 4000, (at * 613) % 3000, 40 + ((at * 7) % 200), 40 + ((at * 13) % 200));
    }
    const bytes = new Uint8Array(
      await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })).arrayBuffer(),
    );
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCodePoint(...bytes.subarray(at, at + 8192));
    return btoa(text);
  });
  const picture = Buffer.from(base64, 'base64');
  const comments: Buffer[] = [];
  for (let missing = PHOTOGRAPH_BYTES - picture.length; missing > 4; missing -= 65_000) {
    const size = Math.min(65_000, missing) - 4;
    comments.push(Buffer.from([0xff, 0xfe, (size + 2) >> 8, (size + 2) & 0xff]), randomBytes(size));
  }
  return Buffer.concat([picture.subarray(0, 2), ...comments, picture.subarray(2)]);
}

function rosterText(): string {
  const rows = Array.from({ length: STUDENTS }, (_, at) =>
    [
      at + 1,
      idOf(at),
      names[at % names.length],
      '컴퓨터공학과',
      (at % 4) + 1,
      '재학',
      '010-0000-0000',
      `${idOf(at)}@univ.test`,
    ].join('\t'),
  );
  return ['순번\t학번\t성명\t학과\t학년\t학적상태\t연락처\t이메일', ...rows].join('\r\n');
}

/** Runs in the page before everything else: remembers what kept it from answering. */
function watchTasks(): void {
  const tasks: number[] = [];
  Object.assign(window, { tasks });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask' });
}

const forgetTasks = (page: Page) => page.evaluate(() => Reflect.get(window, 'tasks').splice(0));

/** ms; 0 when none took 50. */
const longestTask = async (page: Page): Promise<number> => {
  await page.waitForTimeout(200);
  return await page.evaluate(() => Math.max(0, ...Reflect.get(window, 'tasks')));
};

const row = (figure: string, value: string, target: string): Row => ({ figure, value, target });

await inBrowser(
  'admin@lab.test',
  async ({ page }) => {
    const session = await page.context().newCDPSession(page);
    printTable(`${STUDENTS} rows pasted`, await benchImport(page));
    printTable(`an .xlsx of ${STUDENTS} rows`, await benchFile(page));
    printTable(`${STUDENTS} rows in 'all'`, await benchList(page, session));
    printTable(`${PHOTOGRAPHS} photographs of ${PHOTOGRAPH_BYTES / 1e6} MB`, await benchPictures(page));
  },
  { width: 1440, prepare: { page: watchTasks } },
);
