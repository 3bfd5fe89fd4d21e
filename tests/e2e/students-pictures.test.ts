import { HEIC_ADVICE } from '#contract/pictures';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { apiAnswer } from '../support/api-answer.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { sharedStack } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';

const students = [
  ['209900001', '홍길동'],
  ['209900002', '김하늘'],
  ['209900003', '한그루'],
] as const;

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();
const chooser = (page: Page) => page.getByLabel('사진을 고르거나 여기에 놓으세요');

/** Signed in as admin on the pictures tab, with a roster of three in 운영체제. */
async function openPictures(stack: Stack): Promise<Page> {
  const { page } = await visit(stack, { as: 'admin@lab.test' });
  await enrol(page, stack, '운영체제', students);
  await page.goto('/manage_students?tab=pictures');
  await chooser(page).waitFor();
  return page;
}

async function enrol(
  page: Page,
  stack: Stack,
  subject: string,
  roster: readonly (readonly [string, string])[],
) {
  const answer = await page.request.post('/api/students/', {
    headers: { origin: stack.origin },
    data: {
      year: 2026,
      semester: 1,
      subject,
      data: roster.map(([id, person], index) => ({
        no: index + 1,
        id,
        name: person,
        department: '',
        year: 1,
        type: '',
        tel: '',
        email: '',
      })),
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

/** A photograph that the browser itself has made: noise, so that it is as large as a real one. */
async function photograph(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([w, h]) => {
      const canvas = new OffscreenCanvas(w, h);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      const image = context.createImageData(w, h);
      let seed = 1;
      for (let at = 0; at < image.data.length; at += 1) {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        image.data[at] = at % 4 === 3 ? 255 : seed >> 16;
      }
      context.putImageData(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let text = '';
      for (const byte of bytes) text += String.fromCodePoint(byte);
      return btoa(text);
    },
    [width, height] as const,
  );
  return Buffer.from(base64, 'base64');
}

/** Resolves when the picture on the page is of that height in the file. */
async function untilNaturalHeight(page: Page, height: number): Promise<void> {
  await page.waitForFunction((pixels) => document.querySelector('img')?.naturalHeight === pixels, height);
}

const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });

describe.skipIf(!hasBrowser)('the pictures of students', () => {
  const stack = sharedStack('empty');

  test('PIC-1 PIC-3 PIC-4 PIC-6 SEC-61 STU-3 STU-17 tells whose picture each file is, scales it down, stores and shows it', async () => {
    const page = await openPictures(stack);
    const large = await photograph(page, 2400, 3000);
    expect(large.length).toBeGreaterThan(1_000_000);
    await chooser(page).setInputFiles([
      jpeg('209900001.jpg', large),
      jpeg('김하늘_209900002.jpg', await photograph(page, 300, 400)),
      jpeg('홍길동_209900003.jpg', await photograph(page, 30, 40)),
      jpeg('단체 사진.jpg', large),
      { name: '209900003.txt', mimeType: 'text/plain', buffer: Buffer.from('글') },
    ]);
    await page.getByText('파일 5개 · 학생과 연결 2개 · 확인 필요 2개 · 제외 1개').waitFor();
    // STU-17: what is sent is seen before, and another's name is asked about.
    await page.getByLabel('209900001.jpg 미리보기').waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLCanvasElement>('canvas[aria-label^="김하늘"]')?.height === 160,
    );
    const question = page.getByRole('checkbox', {
      name: /^한그루 학생의 사진입니까\? .*다른 이름\(홍길동\)/,
    });
    await expect.poll(() => question.isChecked()).toBe(false);
    await page.getByText('파일 이름에 명단의 학번이 없습니다').waitFor();
    await page.getByText('이미지 파일이 아닙니다').waitFor();
    await page.getByRole('button', { name: '사진 2장 업로드' }).click();
    await toast(page, '업로드 성공').waitFor();
    await page.getByText('저장된 사진 2장.').waitFor();
    // PIC-6: what waits for an answer can be answered after the rest was sent.
    await page.getByRole('checkbox', { name: '확인 필요만 보기' }).check();
    const shown = page.getByRole('table', { name: '사진과 학생' }).locator('tbody tr');
    await expect.poll(() => shown.count()).toBe(2);
    await page.getByLabel('단체 사진.jpg 학생 찾기').fill('한그루 209900003');
    await page.getByRole('button', { name: '사진 1장 업로드' }).click();
    await page.getByText('저장된 사진 1장.').waitFor();

    await page.getByRole('tab', { name: '목록' }).click();
    await page.getByText('홍길동', { exact: true }).click();
    const image = page.getByRole('dialog').getByRole('img', { name: '홍길동 사진' });
    await image.waitFor();
    await untilNaturalHeight(page, 1200);
    const box = await image.boundingBox();
    expect(Math.max(box?.width ?? 999, box?.height ?? 999)).toBeLessThanOrEqual(150);
    const answer = await page.request.get('/api/students/pictures/209900001?name=x');
    expect(answer.headers()).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect((await answer.body()).length).toBeLessThanOrEqual(300 * 1024);

    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: '사진 업로드' }).click();
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic'), Buffer.alloc(100)]);
    await chooser(page).setInputFiles([
      jpeg('209900001.jpg', await photograph(page, 90, 120)),
      jpeg('209900002.jpg', heic),
    ]);
    await page.getByRole('button', { name: '사진 2장 업로드' }).click();
    await page.getByText('저장된 사진 1장.').waitFor();
    await page.getByText(HEIC_ADVICE).waitFor();
    await page.getByRole('tab', { name: '목록' }).click();
    await page.getByText('홍길동', { exact: true }).click();
    await untilNaturalHeight(page, 120);
  });

  test('PIC-2 tells what failed, tries the failed batch again, and can be cancelled', async () => {
    const page = await openPictures(stack);
    await chooser(page).setInputFiles([jpeg('209900003.jpg', await photograph(page, 300, 400))]);
    const upload = page.getByRole('region', { name: '업로드', exact: true });
    const again = upload.getByRole('button', { name: '다시 시도' });

    await page.route('**/api/upload', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    await upload.getByRole('button', { name: '사진 1장 업로드' }).click();
    await toast(page, '업로드 실패: 500').waitFor();
    const alert = page.getByRole('alertdialog');
    await alert.getByText('업로드 중 오류가 발생했습니다').waitFor();
    await alert.getByRole('button', { name: '확인' }).click();

    await page.route('**/api/upload', (route) => route.abort(), { times: 1 });
    await again.click();
    await toast(page, '업로드 중 오류').waitFor();
    await expect.poll(() => upload.getAttribute('data-phase')).toBe('failed');

    await page.route('**/api/upload', (route) => route.fulfill({ json: { stored: [], rejected: [] } }), {
      times: 1,
    });
    await again.click();
    await toast(page, '서버와의 사이에서 다른 응답이 왔습니다').waitFor();
    await expect.poll(() => upload.getAttribute('data-phase')).toBe('failed');

    // Never answered: only a cancel ends it.
    await page.route('**/api/upload', () => undefined);
    await again.click();
    await upload.getByRole('progressbar').waitFor();
    await upload.getByRole('button', { name: '취소' }).click();
    await upload.getByText('업로드를 취소했습니다.').waitFor();
    await page.unroute('**/api/upload');
    await again.click();
    await toast(page, '업로드 성공').waitFor();
    await expect.poll(() => upload.getAttribute('data-phase')).toBe('done');
  });

  test('PIC-2 a batch of which nothing can be stored is listed with its reason, and the others go through', async () => {
    const page = await openPictures(stack);
    const ids = Array.from({ length: 21 }, (_, at) => String(209_910_001 + at));
    await enrol(
      page,
      stack,
      '자료구조',
      ids.map((id) => [id, '김도윤']),
    );
    await page.reload();
    const small = await photograph(page, 30, 40);
    // The first batch of twenty is refused, the second one holds the last student's picture.
    await page.route(
      '**/api/upload',
      (route) => route.fulfill(apiAnswer(400, { error: { code: 'invalid_input', message: '이유' } })),
      { times: 1 },
    );
    await chooser(page).setInputFiles(ids.map((id) => jpeg(`${id}.jpg`, small)));
    const upload = page.getByRole('region', { name: '업로드', exact: true });
    await upload.getByRole('button', { name: '사진 21장 업로드' }).click();
    await toast(page, '업로드 실패: 400').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: '확인' }).click();
    await upload.getByText('저장된 사진 1장.').waitFor();
    await expect.poll(() => upload.getByText('이유', { exact: true }).count()).toBe(20);
    await upload.getByRole('button', { name: '다시 시도' }).click();
    await toast(page, '업로드 성공').waitFor();
  });

  test("PIC-5 SEC-105 prints a course's faces on A4, for a reason that is logged, and nothing else of the page", async () => {
    const page = await openPictures(stack);
    await page.getByText('강의를 선택하면', { exact: false }).waitFor();
    await page.getByRole('combobox', { name: '강의' }).click();
    await page.getByRole('option', { name: '2026년 1학기 운영체제 (3명)' }).click();
    await page.getByRole('heading', { name: '2026년 1학기 운영체제 출석부 (3명)' }).waitFor();
    for (const [id, name] of students) {
      await page.getByRole('listitem').filter({ hasText: id }).filter({ hasText: name }).waitFor();
    }
    await page.getByRole('button', { name: '인쇄' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('사유').fill('출석 확인');
    const logged = page.waitForResponse((answer) => answer.url().endsWith('/api/students/exports'));
    await dialog.getByRole('button', { name: '인쇄' }).click();
    expect((await logged).status()).toBe(200);
    expect((await logged).request().postDataJSON()).toMatchObject({ reason: '출석 확인', printed: true });
    await page.emulateMedia({ media: 'print' });
    await expect
      .poll(() => page.getByRole('listitem').filter({ hasText: '209900001' }).isVisible())
      .toBe(true);
    const classes = page.getByRole('combobox', { name: '강의' });
    for (const hidden of [page.getByRole('banner'), page.getByRole('tablist'), chooser(page), classes]) {
      await expect.poll(() => hidden.isVisible()).toBe(false);
    }
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, width = 0, height = 0] = /MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
  });
});
