import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import worker from '../../worker/src/app.ts';
import { call } from './client.ts';
import { exifSegment, jpeg, jpegWith, png, SECRET } from './sample-images.ts';
import { contents, migrateDatabase } from './support.ts';
import { beginWithoutPictures, keys, read, upload } from './uploads.ts';

beforeAll(migrateDatabase);
beforeEach(beginWithoutPictures);

const logged = async () => (await contents())['access_log']?.at(-1);

describe('GET /api/students/pictures/{id}', () => {
  test('SEC-33 PIC-4 is the cleaned image under headers that let nothing run', async () => {
    await upload(['20211111.jpg', jpegWith(exifSegment(6)), 'text/html']);
    const answer = await read('20211111?name=%22%3Cscript%3E');
    expect(answer.status).toBe(200);
    const { headers } = answer;
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toBe('inline; filename="20211111.jpg"');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", 'sandbox', "frame-ancestors 'none'"]),
    );
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Cookie');
    const bytes = await answer.bytes();
    expect(headers.get('content-length')).toBe(String(bytes.length));
    const text = new TextDecoder('latin1').decode(bytes);
    expect(text).not.toContain(SECRET);
    expect(text).toContain('MM\0*');
    expect(await logged()).toMatchObject({ action: 'read', subject: 'picture', subject_id: '20211111' });
  });

  test('SEC-40 is 304 while it is the same, and is logged all the same', async () => {
    await upload(['20211111.png', png]);
    const tag = (await read('20211111')).headers.get('etag') ?? '';
    const before = (await contents())['access_log']?.length ?? 0;
    const answer = await read('20211111', { 'if-none-match': tag });
    expect(answer.status).toBe(304);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect((await contents())['access_log']).toHaveLength(before + 1);
    await upload(['20211111.jpg', jpeg]);
    expect((await read('20211111', { 'if-none-match': tag })).status).toBe(200);
  });

  test('PIC-4 is not found without a picture, and nothing is logged then', async () => {
    const before = await contents();
    expect((await read('20211111')).status).toBe(404);
    expect((await read('99999999')).status).toBe(404);
    expect(await contents()).toEqual(before);
  });

  test('PIC-4 is not what R2 holds instead of what was recorded', async () => {
    await upload(['20211111.png', png]);
    await env.FILES.put('pictures/20211111', '<script>alert(1)</script>');
    expect(await (await read('20211111')).text()).toContain('PNG');
    for (const { key } of (await env.FILES.list()).objects) await env.FILES.delete(key);
    const answer = await read('20211111');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    '..%2f20211111',
    '%2e%2e',
    '%2e%2e%2fusers',
    '%252e%252e',
    'a%00b',
    'a%5Cb',
    'https:%2f%2fevil.test',
    '1'.repeat(2048),
    '20211111.png',
    '2021 1111',
    "20211111'",
    '*',
  ])('SEC-31 does not look for %j', async (id) => {
    const get = vi.spyOn(env.FILES, 'get');
    expect([400, 404]).toContain((await read(id)).status);
    expect(get).not.toHaveBeenCalled();
    get.mockRestore();
  });
});

describe('when a student goes', () => {
  test('STU-8 SEC-44 the picture goes too', async () => {
    await upload(['20211111.png', png], ['20212222.png', png]);
    expect(await (await call('/students')).json()).toMatchObject([
      { picture: true },
      { picture: true },
      { id: 'ab-1', picture: false },
    ]);
    await call('/students/20211111', 'DELETE');
    expect((await read('20211111')).status).toBe(404);
    expect(await keys()).toEqual(['pictures/20212222']);
    expect((await contents())['pictures']).toHaveLength(1);
  });

  test('STU-12 SEC-44 the picture goes too with the whole term', async () => {
    await env.DB.prepare(
      "INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type) SELECT id, 2026, 1, 'x', 1, 1, '' FROM students WHERE id <> 'ab-1'",
    ).run();
    await upload(['20211111.png', png], ['20212222.png', png], ['ab-1.png', png]);
    await call('/students/terms/2026/1', 'DELETE', { enrolments: 2 });
    expect(await keys()).toEqual(['pictures/ab-1']);
  });

  test('PIC-4 what R2 holds for nobody goes at night', async () => {
    await upload(['20211111.png', png]);
    await env.FILES.put('pictures/77777777', png);
    await worker.scheduled(createScheduledController(), env);
    expect(await keys()).toHaveLength(2);
    vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ['Date'] });
    await worker.scheduled(createScheduledController(), env);
    vi.useRealTimers();
    expect(await keys()).toEqual(['pictures/20211111']);
  });
});
