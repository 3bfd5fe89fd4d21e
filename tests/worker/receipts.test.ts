import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Receipt } from '#contract/ledger';
import worker from '../../worker/src/app.ts';
import { HEIC_ADVICE } from '../../contract/pictures.ts';
import { concatBytes } from '../../worker/src/lib/images/bytes.ts';
import { parsePicture } from '../../worker/src/lib/images/image.ts';
import { call, signInAdmin } from './client.ts';
import { someEntryId } from './route-fixtures.ts';
import {
  exifSegment,
  heic,
  hostile,
  jpeg,
  jpegWith,
  ofPhones,
  png,
  SECRET,
  twoInOne,
  webp,
} from './sample-images.ts';
import { contents, migrateDatabase } from './support.ts';
import { formOf, keys } from './uploads.ts';

const ascii = (text: string) => new TextEncoder().encode(text);
const pdf = ascii('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
const MB = 1024 * 1024;

let entry = 0;
beforeAll(migrateDatabase);
beforeEach(async () => {
  // A new one each time, so that no test uses up another one's uploads.
  await signInAdmin(`${crypto.randomUUID()}@lab.test`);
  await env.DB.prepare('DELETE FROM ledger_entries').run();
  for (const key of await keys()) await env.FILES.delete(key);
  entry = await someEntryId();
});

const upload = (bytes: Uint8Array, name = '영수증.png', type = 'image/png', id = entry) =>
  call(`/account/${id}/receipts`, 'POST', formOf([[name, bytes, type]], 'receipt'));
const stored = async (bytes: Uint8Array, name?: string): Promise<Receipt> =>
  await (await upload(bytes, name)).json();
const list = async (): Promise<Receipt[]> => await (await call('/account/receipts')).json();
const logged = async () => (await contents())['access_log']?.at(-1);

describe('a receipt', () => {
  test.each([
    ['a JPEG', jpeg, 'image/jpeg', 'jpg'],
    ['a PNG', png, 'image/png', 'png'],
    ['a WebP', webp, 'image/webp', 'webp'],
    ['a PDF', pdf, 'application/pdf', 'pdf'],
  ])('ACC-8 may be %s, whatever it says of itself', async (_, bytes, type, ending) => {
    const answer = await upload(bytes, '3월 회식.exe', 'text/html');
    expect(answer.status).toBe(201);
    const receipt: Receipt = await answer.json();
    expect(receipt).toMatchObject({ entry_id: entry, name: `3월 회식.${ending}`, type });
    expect(await logged()).toMatchObject({ action: 'create', subject: 'receipt', subject_id: String(entry) });
    expect(await list()).toEqual([receipt]);
    expect(await keys()).toEqual([`receipts/${receipt.id}`]);
  });

  test('ACC-8 SEC-33 comes back under headers that let nothing run', async () => {
    const { id, size } = await stored(jpegWith(exifSegment(6)), '사진.jpg');
    const answer = await call(`/account/receipts/${id}`);
    expect(answer.status).toBe(200);
    const { headers } = answer;
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')?.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", 'sandbox', "frame-ancestors 'none'"]),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="receipt.jpg"; filename*=UTF-8''${encodeURIComponent('사진.jpg')}`,
    );
    const bytes = await answer.bytes();
    expect(headers.get('content-length')).toBe(String(size));
    expect(bytes).toHaveLength(size);
    expect(new TextDecoder('latin1').decode(bytes)).not.toContain(SECRET);
    expect(await logged()).toMatchObject({ action: 'read', subject: 'receipt', subject_id: String(entry) });
  });

  test('ACC-8 SEC-33 that is a PDF is only ever saved, and is what was sent', async () => {
    const { id } = await stored(pdf, `a b (1)'x: y.pdf`);
    const answer = await call(`/account/receipts/${id}`);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="receipt.pdf"; filename*=UTF-8''a%20b%20%281%29%27x%3A%20y.pdf`,
    );
    expect(await answer.bytes()).toEqual(pdf);
  });

  test.each([
    ['../../x.png', 'x.png'],
    ['C:\\scan\\x.png', 'x.png'],
    ['.png', '영수증.png'],
    ['\u202egnp.exe.png', 'gnp.exe.png'],
    ['가'.repeat(300) + '.png', '가'.repeat(100) + '.png'],
    ['영수증'.normalize('NFD') + '.PNG', '영수증.png'],
  ])('ACC-8 is called what a file may be called: %j', async (name, kept) => {
    expect((await stored(png, name)).name).toBe(kept);
  });

  const { 'an empty file': empty, ...others } = hostile;
  test.each(Object.entries(others))('ACC-8 SEC-32 is not %s', async (_, bytes) => {
    expect([400, 415]).toContain((await upload(bytes)).status);
    expect(await keys()).toEqual([]);
  });

  test.each([
    ['nothing', empty ?? new Uint8Array(), 415],
    ['HEIC', heic, 415],
    ['half a PDF', pdf.slice(0, 20), 400],
    ['a PDF of no version', concatBytes([ascii('%PDF-x\n'), pdf]), 400],
    ['a PDF behind HTML', concatBytes([ascii('<script>1</script>'), pdf]), 415],
    ['text', ascii('영수증'), 415],
  ])('ACC-8 SEC-32 is not %s: its answer says why', async (_, bytes, status) => {
    const answer = await upload(bytes);
    expect(answer.status).toBe(status);
    const { error } = await answer.json<{ error: { message: string } }>();
    expect(error.message).toMatch(/[가-힣]/);
    expect(await keys()).toEqual([]);
  });

  test('ACC-8 SEC-61 is the first picture of what a phone made, or of what was two files in one', async () => {
    for (const [what, bytes] of Object.entries({ ...ofPhones, ...twoInOne })) {
      const { id } = await stored(bytes, '영수증.jpg');
      const answer = await call(`/account/receipts/${id}`);
      const kept = await answer.bytes();
      expect(parsePicture(bytes), what).toMatchObject({
        bytes: kept,
        type: answer.headers.get('content-type'),
      });
      expect(new TextDecoder('latin1').decode(kept), what).not.toContain(SECRET);
      expect((await call(`/account/receipts/${id}`, 'DELETE')).status).toBe(200);
    }
  });

  test('ACC-8 SEC-61 that is HEIC under another name says that it is', async () => {
    const answer = await upload(heic, '영수증.jpg', 'image/jpeg');
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ error: { message: HEIC_ADVICE } });
  });

  test('ACC-8 of 10 MB is taken, a larger one is not', async () => {
    const large = (size: number) =>
      concatBytes([pdf.subarray(0, 9), new Uint8Array(size - pdf.length), pdf.subarray(9)]);
    expect((await upload(large(10 * MB))).status).toBe(201);
    expect((await upload(large(10 * MB + 1))).status).toBe(413);
    expect(await keys()).toHaveLength(1);
  });

  test('ACC-8 comes alone and as a form', async () => {
    const two = formOf(
      [
        ['a.png', png],
        ['b.png', png],
      ],
      'receipt',
    );
    expect((await call(`/account/${entry}/receipts`, 'POST', two)).status).toBe(413);
    expect((await call(`/account/${entry}/receipts`, 'POST', new FormData())).status).toBe(400);
    expect((await call(`/account/${entry}/receipts`, 'POST', {})).status).toBe(415);
    expect(await keys()).toEqual([]);
  });

  test('ACC-8 stands with four others at most', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(png)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(await list()).toHaveLength(5);
    expect(await keys()).toHaveLength(5);
  });

  test('ACC-8 of no entry is not found and not kept', async () => {
    expect((await upload(png, 'a.png', 'image/png', 999_999)).status).toBe(404);
    expect(await keys()).toEqual([]);
  });

  test('ACC-8 is deleted once, file and record', async () => {
    const { id } = await stored(png);
    expect((await call(`/account/receipts/${id}`, 'DELETE')).status).toBe(200);
    expect(await keys()).toEqual([]);
    expect((await call(`/account/receipts/${id}`)).status).toBe(404);
    expect((await call(`/account/receipts/${id}`, 'DELETE')).status).toBe(404);
  });

  test('ACC-4 ACC-8 STU-19 goes with its entry into the bin, and what R2 holds for nobody goes at night', async () => {
    const { id: binned } = await stored(pdf);
    await call(`/account/${entry}`, 'DELETE');
    expect(await list()).toEqual([]);
    expect((await call(`/account/receipts/${binned}`)).status).toBe(404);
    entry = await someEntryId();
    const { id } = await stored(png);
    await env.FILES.put(`receipts/${'0'.repeat(32)}`, png);
    vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ['Date'] });
    await worker.scheduled(createScheduledController(), env);
    vi.useRealTimers();
    expect((await keys()).toSorted()).toEqual([binned, id].map((each) => `receipts/${each}`).toSorted());
  });

  test.each(['..%2fx', 'x'.repeat(32), 'A'.repeat(32), '0'.repeat(31), `${'0'.repeat(32)}.png`])(
    'SEC-31 is not looked for as %j',
    async (id) => {
      const get = vi.spyOn(env.FILES, 'get');
      expect((await call(`/account/receipts/${id}`)).status).toBe(404);
      expect(get).not.toHaveBeenCalled();
      get.mockRestore();
    },
  );
});
