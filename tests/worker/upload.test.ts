import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HEIC_ADVICE, type UploadResult } from '../../contract/pictures.ts';
import worker from '../../worker/src/app.ts';
import { parsePicture } from '../../worker/src/lib/images/image.ts';
import { call } from './client.ts';
import { heic, hostile, jpeg, png, webp } from './sample-images.ts';
import { api, contents, migrateDatabase, ORIGIN, sessionOf } from './support.ts';
import { beginWithoutPictures, formOf, keys, read, upload, type Named } from './uploads.ts';

const MB = 1024 * 1024;

beforeAll(migrateDatabase);
beforeEach(beginWithoutPictures);

const messageOf = async (answer: Response) =>
  (await answer.json<{ error: { message: string } }>()).error.message;

describe('POST /api/upload', () => {
  test('PIC-1 SEC-34 stores the picture of each student whom its name names', async () => {
    const answer = await upload(
      ['20211111.jpg', jpeg],
      ['홍길동_20212222.png', png],
      ['사진 (ab-1).webp', webp],
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      stored: [
        { name: '20211111.jpg', studentId: '20211111' },
        { name: '홍길동_20212222.png', studentId: '20212222' },
        { name: '사진 (ab-1).webp', studentId: 'ab-1' },
      ],
      rejected: [],
    });
    expect(await keys()).toEqual(['pictures/20211111', 'pictures/20212222', 'pictures/ab-1']);
    const { pictures, access_log = [] } = await contents();
    expect(pictures).toMatchObject([
      { student_id: 'ab-1', content_type: 'image/webp' },
      { student_id: '20212222', content_type: 'image/png' },
      { student_id: '20211111', content_type: 'image/jpeg', width: 12, height: 8 },
    ]);
    expect(access_log.slice(-3)).toMatchObject(
      ['ab-1', '20212222', '20211111'].map((subject_id) => ({
        action: 'create',
        subject: 'picture',
        subject_id,
        detail: '{"replaced":false}',
      })),
    );
  });

  test('PIC-3 says of the others why not, and stores the rest', async () => {
    const answer = await upload(
      ['누구.png', png],
      ['99999999.png', png],
      ['20211111_20212222.png', png],
      ['x/20211111.png', png],
      ['..\\20211111.png', png],
      ['20212222.png', hostile['SVG'] ?? png],
      ['ab-1.heic', heic],
      ['20211111.png', png],
    );
    expect(answer.status).toBe(200);
    const { stored, rejected } = await answer.json<UploadResult>();
    expect(stored).toEqual([{ name: '20211111.png', studentId: '20211111' }]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      '파일 이름에 명단의 학번이 없습니다',
      '파일 이름에 명단의 학번이 없습니다',
      '파일 이름에 학번이 둘 이상 있습니다',
      '파일 이름에 폴더 이름이 들어 있습니다',
      '파일 이름에 폴더 이름이 들어 있습니다',
      'JPEG, PNG, WebP 이미지가 아닙니다',
      HEIC_ADVICE,
    ]);
    expect(await keys()).toEqual(['pictures/20211111']);
  });

  test('PIC-3 a date or time of a camera is no student, whatever number a student has', async () => {
    const answer = await upload(
      ['20211111_101530.png', png],
      ['KakaoTalk_20211111_142210123.png', png],
      ['IMG-20211111-WA0001.png', png],
      ['20212222_20211111_101530.png', png],
    );
    const { stored, rejected } = await answer.json<UploadResult>();
    expect(stored.map(({ studentId }) => studentId)).toEqual(['20212222']);
    const reason =
      '파일 이름의 숫자가 찍은 날짜나 시각일 수 있습니다: 20211111. 학번만 남기고 이름을 바꾸세요';
    expect(rejected.map((each) => each.reason)).toEqual([reason, reason, reason]);
  });

  test('SEC-34 of two files for one student the last one wins', async () => {
    const answer = await upload(
      ['20211111.jpg', jpeg],
      ['20211111.png', png],
      ['20211111_2.png', png.slice(9)],
    );
    const { stored, rejected } = await answer.json<UploadResult>();
    expect(stored).toEqual([{ name: '20211111.png', studentId: '20211111' }]);
    expect(rejected.map(({ name }) => name)).toEqual(['20211111.jpg', '20211111_2.png']);
    expect((await read('20211111')).headers.get('content-type')).toBe('image/png');
    await upload(['20211111.webp', webp]);
    expect((await read('20211111')).headers.get('content-type')).toBe('image/webp');
    expect(await keys()).toEqual(['pictures/20211111']);
  });

  test.each(Object.entries(hostile))(
    'SEC-32 PIC-4 refuses what is no picture, whatever it is called: %s',
    async (_, bytes) => {
      for (const name of ['20211111.png', '20211111.jpg']) {
        const answer = await upload([name, bytes, 'image/png']);
        expect(answer.status).toBe(
          'isImage' in parsePicture(bytes) && Reflect.get(parsePicture(bytes), 'isImage') ? 400 : 415,
        );
      }
      expect(await keys()).toEqual([]);
      expect((await contents())['pictures']).toEqual([]);
    },
  );

  test('SEC-32 believes the content and not the type that the client tells', async () => {
    expect((await upload(['20211111.svg', png, 'image/svg+xml'])).status).toBe(200);
    expect((await read('20211111')).headers.get('content-type')).toBe('image/png');
  });

  test('SEC-32 PIC-2 tells why nothing of it was stored', async () => {
    const one = await upload(['누구.png', png]);
    expect(one.status).toBe(400);
    expect(await messageOf(one)).toBe('파일 이름에 명단의 학번이 없습니다');
    const other = await upload(['20211111.heic', heic]);
    expect(other.status).toBe(415);
    expect(await messageOf(other)).toBe(HEIC_ADVICE);
    const none = await call('/upload', 'POST', new FormData());
    expect(none.status).toBe(400);
  });

  test.each([
    [415, 'application/json', '{}'],
    [415, 'text/plain', 'x'],
    [415, 'image/png', png],
    [400, 'multipart/form-data', 'x'],
    [400, 'multipart/form-data; boundary=a', 'x'],
    [
      400,
      'multipart/form-data; boundary=a',
      '--a\r\ncontent-disposition: form-data; name="images"; filename="a',
    ],
    [
      400,
      'multipart/form-data; boundary=a',
      '--a\r\ncontent-disposition: form-data; name="images"\r\n\r\nx\r\n--a--',
    ],
  ])('SEC-24 answers %i to a body of type %s', async (status, type, body) => {
    expect((await call('/upload', 'POST', body, { 'content-type': type })).status).toBe(status);
  });
});

describe('how much one upload may hold', () => {
  beforeEach(async () => {
    const ids = JSON.stringify(Array.from({ length: 101 }, (_, at) => String(30_000_000 + at)));
    await env.DB.prepare("INSERT INTO students (id, name) SELECT value, '라온' FROM json_each(?)")
      .bind(ids)
      .run();
  });
  const many = (howMany: number) =>
    Array.from({ length: howMany }, (_, at): Named => [`${30_000_000 + at}.png`, png]);

  test('SEC-34 twenty files', async () => {
    expect((await (await upload(...many(20))).json<UploadResult>()).stored).toHaveLength(20);
    expect(await keys()).toHaveLength(20);
  });

  test('SEC-34 not 101 files', async () => {
    expect((await upload(...many(101))).status).toBe(413);
    expect(await keys()).toEqual([]);
  });

  test('SEC-34 no file above 10 MB', async () => {
    const large = new Uint8Array(10 * MB + 1);
    expect((await upload(...many(1), ['30000005.png', large])).status).toBe(413);
    expect(await keys()).toEqual([]);
  });

  test('SEC-34 not 51 MB, told, untold or in pieces', async () => {
    const file = new Uint8Array(10 * MB);
    const six = Array.from({ length: 5 }, (_, at): Named => [`3000000${at}.png`, file]);
    const request = new Request('https://lab.test', {
      method: 'POST',
      body: formOf([...six, ['x', file.slice(0, MB)]]),
    });
    const type = request.headers.get('content-type') ?? '';
    expect((await call('/upload', 'POST', request.body, { 'content-type': type })).status).toBe(413);
    const told = { 'content-type': type, 'content-length': String(51 * MB) };
    expect((await call('/upload', 'POST', 'x', told)).status).toBe(413);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += MB;
        controller.enqueue(new Uint8Array(MB));
      },
    });
    expect((await call('/upload', 'POST', endless, { 'content-type': type })).status).toBe(413);
    expect(sent).toBeLessThan(54 * MB);
    expect(await keys()).toEqual([]);
  });

  test('SEC-34 what ends before its end leaves nothing', async () => {
    const request = new Request('https://lab.test', { method: 'POST', body: formOf(many(2)) });
    const bytes = await request.clone().bytes();
    const type = request.headers.get('content-type') ?? '';
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, -100));
      },
      pull: (controller) => controller.error(new TypeError('the client went away')),
    });
    const answer = await call('/upload', 'POST', broken, { 'content-type': type });
    expect(answer.status).toBe(400);
    expect((await call('/upload', 'POST', bytes.slice(0, -100), { 'content-type': type })).status).toBe(400);
    expect(await keys()).toEqual([]);
  });

  test('SEC-41 sixty a minute from one user', async () => {
    const cookie = await sessionOf('busy@lab.test', 1);
    const other = await sessionOf('calm@lab.test', 1);
    const attempt = (as: string) => api('/upload', { method: 'POST', headers: { cookie: as } });
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await attempt(cookie)).status),
    );
    expect(statuses.filter((status) => status === 415)).toHaveLength(60);
    const refused = await attempt(cookie);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await attempt(other)).status).toBe(415);
  });
});

test('SEC-85 of two uploads of one picture at once the record and the file are of the same', async () => {
  const cookie = await sessionOf('racer@lab.test', 1);
  let other: number | undefined;
  const put: R2Bucket['put'] = async (...args: Parameters<R2Bucket['put']>) => {
    const object = await env.FILES.put(...args);
    // The other one comes and ends between this one's file and its record.
    other ??= (await upload(['20211111.jpg', jpeg])).status;
    return object;
  };
  const FILES = new Proxy(env.FILES, {
    get: (files, name) => {
      const own: unknown = name === 'put' ? put : Reflect.get(files, name);
      return typeof own === 'function' ? own.bind(files) : own;
    },
  });
  const request = new Request(`${ORIGIN}/api/upload`, {
    method: 'POST',
    headers: { cookie },
    body: formOf([['20211111.webp', webp]]),
  });
  const answer = await worker.fetch(request, { ...env, FILES }, createExecutionContext());
  expect([answer.status, other]).toEqual([200, 200]);
  const picture = await read('20211111');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  await picture.arrayBuffer();
});
