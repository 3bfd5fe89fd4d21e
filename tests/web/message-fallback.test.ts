import { compile } from '@inlang/paraglide-js';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const web = fileURLToPath(new URL('../../web', import.meta.url));
const plugin = join(web, '../node_modules/@inlang/plugin-message-format/dist/index.js');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'messages-'));
  await mkdir(join(folder, 'messages'));
  await cp(join(web, 'project.inlang'), join(folder, 'project.inlang'), { recursive: true });
  const settings = join(folder, 'project.inlang/settings.json');
  const text = await readFile(settings, 'utf8');
  await writeFile(settings, text.replace(/\.\.\/node_modules[^"]+/, relative(folder, plugin)));
  await writeFile(
    join(folder, 'messages/en.json'),
    JSON.stringify({ hello: 'Hello', only_english: 'English' }),
  );
  await writeFile(join(folder, 'messages/ko.json'), JSON.stringify({ hello: '안녕하세요' }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('PUB-2 a text that is missing in Korean is shown in English', async () => {
  const outdir = join(folder, 'compiled');
  await compile({
    project: join(folder, 'project.inlang'),
    outdir,
    strategy: ['globalVariable', 'baseLocale'],
  });
  const messages: unknown = await import(join(outdir, 'messages.js'));
  expect(messages).toMatchObject({ hello: expect.any(Function), only_english: expect.any(Function) });
  const say = (key: string) => {
    const message: unknown = Reflect.get(Object(messages), key);
    return typeof message === 'function' ? message({}, { locale: 'ko' }) : undefined;
  };
  expect(say('hello')).toBe('안녕하세요');
  expect(say('only_english')).toBe('English');
});
