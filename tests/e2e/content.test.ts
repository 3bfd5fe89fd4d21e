import { firstVersion } from '#content/first-version';
import type { Content } from '#contract/content';
import { contentSchema } from '#contract/content-schema';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { waitForHydration } from '../support/hydration.ts';
import { visit } from '../support/browser.ts';
import { hasBrowser } from '../support/chromium.ts';
import { credential, login } from '../support/sign-in.ts';
import { chooseRowAction } from '../support/row-menu.ts';
import { sharedStack } from '../support/shared-stack.ts';

const facePicture = async () => ({
  name: 'face.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 300, height: 200, channels: 3, background: '#789' } })
    .png()
    .toBuffer(),
});

describe.skipIf(!hasBrowser)('the words of the public pages', () => {
  const stack = sharedStack('empty');
  const html = async (path: string) => await (await fetch(stack.origin + path)).text();

  /** Publishes a content by the API, as an admin. */
  async function publish(content: Content): Promise<void> {
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const headers = { cookie, 'content-type': 'application/json' };
    const call = (path: string, init: RequestInit) =>
      fetch(`${stack.origin}/api/content${path}`, { headers, ...init });
    const { version } = z.object({ version: z.int() }).parse(await (await call('', {})).json());
    const answers = [
      await call('', { method: 'PUT', body: JSON.stringify({ version, draft: content }) }),
      await call('/publish', { method: 'POST' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  }

  test('EDIT-3 PUB-6 PUB-28 what is published is in the page at once, without a script, and nobody whose name is not public', async () => {
    const before = await html('/ko');
    const content = structuredClone(firstVersion);
    content.lab.name = { ko: '새로운 <연구실>', en: 'A New "Lab"' };
    content.news.push({ date: '2027-01-02', text: { ko: '새 소식', en: 'New news' }, link: '' });
    content.publications += '\n@article{new, author={Seojun Yoon}, title={A Paper of Today}, year={2026}}\n';
    content.privacy.officer = { ko: '새 책임자', en: 'Our Officer' };
    const [hidden] = content.people.undergraduate_students;
    if (!hidden) throw new Error('the group is empty');
    hidden.name = { ko: '비밀이', en: 'Secret Person' };
    const [project] = content.projects;
    if (!project) throw new Error('the content has no project');
    content.projects = [
      { ...project, name: { ko: '새 과제', en: 'A New Project' }, people: [hidden.name], papers: 'new' },
    ];
    await publish(content);

    const ko = await html('/ko');
    expect(ko).toMatch(/<title>새로운 &lt;연구실&gt; · /);
    expect(ko).toContain('<meta property="og:title" content="새로운 &lt;연구실&gt;');
    for (const words of ['새로운 &lt;연구실&gt;', '새 소식']) expect(ko).toContain(words);
    expect(await html('/en')).toContain('New news');
    expect(await html('/publications')).toContain('A Paper of Today');
    expect(await html('/news.atom')).toContain('새 소식');
    const english = await html('/en/news.atom');
    expect(english).toContain('New news');
    expect(english).not.toContain('새 소식');
    expect(await html('/docs/privacy')).toMatch(/한빛대학교 컴퓨터공학부 새로운 &lt;연구실&gt;.*새 책임자/);
    expect(await html('/en/docs/privacy')).toContain('Our Officer');
    expect(await html('/publications.bib')).toContain('A Paper of Today');
    expect(await html('/en/news')).toContain('New news');
    const fresh = await html('/en/projects/a-new-project');
    for (const words of ['data-path="/en/projects/a-new-project"', 'A New Project · ', 'A Paper of Today'])
      expect(fresh).toContain(words);
    const slash = await fetch(`${stack.origin}/en/projects/a-new-project/?a=b`, { redirect: 'manual' });
    expect([slash.status, slash.headers.get('location')]).toEqual([
      308,
      `${stack.origin}/en/projects/a-new-project?a=b`,
    ]);
    const gone = await fetch(`${stack.origin}/projects/city-garden-network`);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('noindex')]);
    const everyPage =
      '/ /ko /en /publications /en/publications /news /projects/a-new-project /news.atom /api/people';
    for (const path of everyPage.split(' '))
      expect(await html(path), path).not.toMatch(/비밀이|Secret Person/);

    expect(await html('/sitemap.xml')).toContain('/en/publications</loc>');
    const { about } = firstVersion;
    const none = { publications: '', projects: [], news: [], about: { ...about, result: null } };
    await publish({ ...firstVersion, ...none });
    expect(await html('/sitemap.xml')).not.toContain('/publications</loc>');

    // What was never changed is drawn as the build drew it, byte by byte.
    await publish(firstVersion);
    const after = (await html('/ko'))
      .replace(/ data-content="\d+"/, ' data-content="0"')
      .replace(/<script type="application\/json" id="published-lab">.*?<\/script>/s, '');
    expect(after).toBe(before);
  });

  test('EDIT-3 whoever has a page or file as it was gets what is published now, and HEAD says the same', async () => {
    await publish(firstVersion);
    const paths = ['/ko', '/publications', '/en/publications', '/publications.bib', '/news.atom'];
    const ask = (path: string, init?: RequestInit) => fetch(stack.origin + path, init);
    const tags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get('etag') ?? ''));
    const statuses = () =>
      Promise.all(
        paths.map(async (path, at) => {
          const known = { headers: { 'if-none-match': tags[at] ?? '' } };
          const [get, head] = [await ask(path, known), await ask(path, { ...known, method: 'HEAD' })];
          return [get.status, head.status];
        }),
      );
    expect(await statuses()).toEqual(paths.map(() => [304, 304]));
    const content = structuredClone(firstVersion);
    content.lab.name = { ko: '그 뒤의 연구실', en: 'The Lab Since' };
    await publish(content);
    expect(await statuses()).toEqual(paths.map(() => [200, 200]));
  });

  test('EDIT-3 what a restore takes back is not seen again when its number is published anew', async () => {
    const named = (name: string) => ({
      ...firstVersion,
      lab: { ...firstVersion.lab, name: { ko: name, en: name } },
    });
    const db = openLocalD1(stack.dataDir);
    const newest = () => db.prepare('SELECT max(id) AS id FROM content_versions').get()?.['id'];
    await publish(named('남는 연구실'));
    await publish(named('되돌린 연구실'));
    expect(await html('/ko')).toContain('되돌린 연구실');
    const number = newest();
    // As a restored database counts.
    db.exec('DELETE FROM content_versions WHERE id = (SELECT max(id) FROM content_versions)');
    db.exec("UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'content_versions'");
    await publish(named('바른 연구실'));
    expect(newest()).toBe(number);
    db.close();
    expect(await html('/ko')).toContain('바른 연구실');
  });

  test('EDIT-2 SEC-39 the preview has the headers of a page, and may stand in a frame of the site alone', async () => {
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    const headersAt = async (path: string) => (await page.context().request.get(path)).headers();
    const [preview, built] = [await headersAt('/preview?page=/ko'), await headersAt('/ko')];
    expect(preview['content-security-policy']).toBe(
      built['content-security-policy']?.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    );
    for (const name of [
      'x-content-type-options',
      'strict-transport-security',
      'cross-origin-resource-policy',
    ])
      expect(preview[name], name).toBe(built[name]);
    expect(preview['cache-control']).toBe('no-store');
    expect((await page.context().request.get('/preview?page=/projects/none')).status()).toBe(404);
  });

  test('EDIT-3 a published page wakes without a difference, in either language', async () => {
    const content = structuredClone(firstVersion);
    content.lab.name = { ko: '깨어난 연구실', en: 'The Lab Awake' };
    content.about.paragraphs.unshift({ ko: '첫 문단', en: 'The first paragraph' });
    content.privacy.earlier = [
      { since: '2026-03-02', text: { ko: '처음 방침', en: 'The first notice' }, link: '' },
    ];
    await publish(content);
    const { page, problems } = await visit(stack, { at: '/docs/privacy' });
    await waitForHydration(page);
    await page.getByText('2026-03-02: 처음 방침').waitFor();
    await page.goto(`${stack.origin}/ko`);
    await waitForHydration(page);
    await page.getByRole('heading', { level: 1, name: '깨어난 연구실' }).waitFor();
    await page.getByRole('link', { name: 'EN', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'The Lab Awake' }).waitFor();
    await page.getByText('The first paragraph').waitFor();
    await page.goto(`${stack.origin}/publications`);
    await waitForHydration(page);
    // Whoever has chosen English reads that.
    await page.getByText('The Lab Awake', { exact: false }).first().waitFor();
    for (const path of ['/en/news', '/en/projects/city-garden-network']) {
      await page.goto(stack.origin + path);
      await waitForHydration(page);
      await page.getByRole('link', { name: 'KO', exact: true }).click();
      await page.waitForURL(`**${path.replace('/en', '')}`);
      await page.getByRole('heading', { level: 1, name: /^(소식|도시 텃밭 센서망)$/ }).waitFor();
      await page.getByRole('link', { name: 'EN', exact: true }).click();
      await page.waitForURL(`**${path}`);
    }
    expect(problems).toEqual([]);
  });

  const open = async (email: string) => {
    const { page, problems } = await visit(stack, { as: email });
    await page.goto('/manage_content');
    await page.getByRole('heading', { level: 1, name: '홈페이지 내용' }).waitFor();
    await page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    return { page, problems };
  };
  const withStudents = (names: string[]): Content => {
    const [model] = firstVersion.people.professors;
    if (!model) throw new Error('the group is empty');
    const content = structuredClone(firstVersion);
    content.people.graduate_alumnis = [];
    content.people.graduate_students = names.map((name) => ({
      ...model,
      name: { ko: name, en: `${name} A` },
      photograph: null,
    }));
    return content;
  };
  const section = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).first().click();

  test('EDIT-2 EDIT-1 EDIT-3 a person is added, seen in the preview, published, and taken back by the versions', async () => {
    await publish(firstVersion);
    const { page, problems } = await open('admin@lab.test');
    await section(page, '구성원');
    await page.getByRole('button', { name: '대학원생 추가' }).click();
    await page.getByText('게시하기 전에 수정할 곳 4').waitFor();
    // What is wrong is a way to its field, whatever is closed by then.
    await page.getByRole('button', { expanded: true, name: /번째/ }).click();
    await section(page, '소식');
    await page.getByText('게시하기 전에 수정할 곳 4').click();
    await page.getByRole('button', { name: /구성원 › 대학원생 › .* › 직위 › English/ }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('직위 English');
    for (const [label, ko, en] of [
      ['이름', '김나리', 'Nari Kim'],
      ['직위', '박사과정', 'Ph.D. student'],
      ['소속', '컴퓨터공학부', 'Computer Science'],
    ] as const) {
      await page.getByRole('textbox', { name: `${label} 한국어` }).fill(ko);
      await page.getByRole('textbox', { name: `${label} English` }).fill(en);
    }
    const frame = page.frameLocator('iframe[title="미리보기"]');
    await frame.getByText('김나리').waitFor();
    await page.getByRole('combobox', { name: '미리 볼 페이지' }).click();
    await page.getByRole('option', { name: '소식' }).click();
    await frame.getByRole('heading', { level: 1, name: '소식' }).waitFor();
    expect(await html('/ko')).not.toContain('김나리');
    await page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await section(page, '게시');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('구성원 › 대학원생 › 김나리 추가').waitFor();
    await dialog.getByRole('button', { name: '게시' }).click();
    await page.getByText('게시했습니다').first().waitFor();
    expect(await html('/en')).toContain('Nari Kim');

    await section(page, '버전');
    await page
      .getByRole('listitem')
      .filter({ hasText: '처음' })
      .getByRole('button', { name: '비교' })
      .click();
    await page.getByText('구성원 › 대학원생 › 김나리 추가').first().waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: '처음' })
      .getByRole('button', { name: '이 내용으로 되돌리기' })
      .click();
    await dialog.getByText('구성원 › 대학원생 › 김나리 삭제').waitFor();
    await dialog.getByRole('button', { name: '게시' }).click();
    await page.getByText('되돌렸습니다').first().waitFor();
    expect(await html('/ko')).not.toContain('김나리');
    expect(problems).toEqual([]);
  });

  test('EDIT-2 SEC-39 no preview, of any page in any language, holds a script, a link or a word for the console', async () => {
    const [project] = firstVersion.projects;
    if (!project) throw new Error('the content has no project');
    await publish(firstVersion);
    const { page } = await visit(stack, { as: 'admin@lab.test' });
    const { request } = page.context();
    const { version } = z
      .object({ version: z.int() })
      .parse(await (await request.get('/api/content')).json());
    const added = { ...project, name: { ko: '나중 과제', en: 'Later Project' } };
    const draft = { ...firstVersion, projects: [project, added] };
    expect((await request.put('/api/content', { data: { version, draft } })).status()).toBe(200);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto('/manage_content');
    const preview = page.getByRole('region', { name: '미리보기' });
    const frame = page.frameLocator('iframe[title="미리보기"]');
    const away = frame.locator('script, link[rel=modulepreload], a[href]');
    const choice = preview.getByRole('combobox');
    for (const [locale, language] of [
      ['ko', 'KO'],
      ['en', 'EN'],
    ] as const) {
      await preview.getByRole('button', { name: language, exact: true }).click();
      for (const [name, ko, en] of [
        ['첫 화면', firstVersion.lab.name.ko, firstVersion.lab.name.en],
        ['논문', '논문', 'Publications'],
        ['소식', '소식', 'News'],
        [`과제: ${project.name.ko}`, project.name.ko, project.name.en],
        [`과제: ${added.name.ko}`, added.name.ko, added.name.en],
        ['개인정보', '개인정보 처리방침', 'Privacy notice'],
      ] as const) {
        await choice.click();
        await page.getByRole('option', { name, exact: true }).click();
        const heading = { level: 1, name: { ko, en }[locale], exact: true };
        await frame.getByRole('heading', heading).waitFor();
        await expect.poll(() => away.count()).toBe(0);
      }
    }
    expect(said).toEqual([]);
  });

  test('EDIT-5 of two editors at once neither loses what was typed, and a reload brings the draft back', async () => {
    await publish(firstVersion);
    const [one, two] = [await open('admin@lab.test'), await open('admin@lab.test')];
    const lead = (page: Page) => page.getByRole('textbox', { name: '첫 화면의 한 문장 한국어' });
    await lead(one.page).fill('첫째 사람이 쓴 문장');
    await one.page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await two.page.getByRole('textbox', { name: '소속 한국어' }).fill('둘째 사람이 쓴 소속');
    await two.page.getByText('다른 사람이 그 사이에 저장한 변경을 합쳤습니다', { exact: false }).waitFor();
    await two.page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await expect.poll(() => lead(two.page).inputValue()).toBe('첫째 사람이 쓴 문장');
    // Of the same field one's own text stays, and the other's is told.
    await lead(one.page).fill('첫째 사람이 다시 쓴 문장');
    await one.page.getByText('다른 사람이 그 사이에 저장한 변경을 합쳤습니다', { exact: false }).waitFor();
    await one.page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await lead(two.page).fill('둘째 사람이 쓴 문장');
    await two.page.getByText('연구실 › 첫 화면의 한 문장 › 한국어: 첫째 사람이 다시 쓴 문장').waitFor();
    await two.page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await expect.poll(() => lead(two.page).inputValue()).toBe('둘째 사람이 쓴 문장');
    await one.page.reload();
    await expect.poll(() => lead(one.page).inputValue()).toBe('둘째 사람이 쓴 문장');
    await expect
      .poll(() => one.page.getByRole('textbox', { name: '소속 한국어' }).inputValue())
      .toBe('둘째 사람이 쓴 소속');
  });

  test('EDIT-5 whom one deletes stays deleted while another edits somebody else, and who was edited meanwhile is asked about', async () => {
    await publish(withStudents(['갑순', '을순', '병순', '정순']));
    const [one, two] = [await open('admin@lab.test'), await open('admin@lab.test')];
    for (const { page } of [one, two]) await section(page, '구성원');
    const saved = (page: Page) => page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    const named = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    const position = (page: Page) => page.getByRole('textbox', { name: '직위 한국어' });
    await chooseRowAction(one.page, '갑순 작업', '삭제');
    await chooseRowAction(one.page, '병순 작업', '삭제');
    await saved(one.page);
    await named(two.page, '병순').click();
    await position(two.page).fill('연구교수');
    await two.page
      .getByText('병순: 내가 고치는 사이에 다른 사람이 삭제했습니다.', { exact: false })
      .waitFor();
    await two.page
      .getByRole('button', { name: '게시', exact: true })
      .and(two.page.locator('[aria-disabled=true]'))
      .waitFor();
    await two.page
      .getByRole('region', { name: '다른 사람의 변경' })
      .getByRole('button', { name: '삭제' })
      .click();
    await expect.poll(() => named(two.page, '병순').count()).toBe(0);
    // Nobody is asked any more about somebody who went with a draft that was brought in meanwhile.
    await one.page.reload();
    await section(one.page, '구성원');
    await chooseRowAction(one.page, '정순 작업', '삭제');
    await saved(one.page);
    await named(two.page, '정순').click();
    await position(two.page).fill('연구교수');
    const asked = two.page.getByText('정순: 내가 고치는 사이에', { exact: false });
    await asked.waitFor();
    await saved(two.page);
    const { request } = one.page.context();
    const { version, draft } = z
      .object({ version: z.int(), draft: contentSchema })
      .parse(await (await request.get('/api/content')).json());
    draft.people.graduate_students = draft.people.graduate_students.filter(({ name }) => name.ko !== '정순');
    expect((await request.put('/api/content', { data: { version, draft } })).status()).toBe(200);
    await named(two.page, '을순').click();
    await position(two.page).fill('박사');
    await asked.waitFor({ state: 'detached' });
    await position(two.page).fill('박사후연구원');
    await saved(two.page);
    expect(await named(two.page, '갑순').count()).toBe(0);
    // Whose draft is older by then publishes after seeing what came in, without a reload.
    await one.page.getByRole('button', { name: '게시', exact: true }).click();
    const dialog = one.page.getByRole('dialog');
    await dialog.getByRole('button', { name: '게시' }).click();
    await one.page.getByText('그 사이에 저장된 변경을 합쳤습니다', { exact: false }).waitFor();
    await one.page.getByRole('button', { name: '게시', exact: true }).click();
    await dialog.getByText('박사후연구원').waitFor();
    await dialog.getByRole('button', { name: '게시' }).click();
    await one.page.getByText('게시했습니다').first().waitFor();
    const page = await html('/ko');
    expect(page).toContain('박사후연구원');
    for (const name of ['갑순', '병순', '연구교수']) expect(page).not.toContain(name);
  });

  test('EDIT-3 a step back takes back all that was typed into a field, and a version that lacks something comes back as the draft', async () => {
    const lacking = structuredClone(firstVersion);
    lacking.lab.lead.en = '';
    await publish(firstVersion);
    const db = openLocalD1(stack.dataDir);
    db.prepare('UPDATE content_versions SET content = ?').run(JSON.stringify(lacking));
    db.close();
    await publish({ ...firstVersion, news: [] });
    const { page, problems } = await open('admin@lab.test');
    const lead = page.getByRole('textbox', { name: '첫 화면의 한 문장 한국어' });
    await lead.fill('');
    await lead.pressSequentially('한 번에 지울 글');
    await page.getByRole('button', { name: '되돌리기' }).click();
    await expect.poll(() => lead.inputValue()).toBe(firstVersion.lab.lead.ko);
    await section(page, '버전');
    await page
      .getByRole('listitem')
      .filter({ hasText: '번' })
      .last()
      .getByRole('button', { name: '이 내용으로 되돌리기' })
      .click();
    const dialog = page.getByRole('dialog', { name: /임시 저장본으로 가져올까요/ });
    await dialog.getByText('연구실 › 첫 화면의 한 문장 › English').waitFor();
    await dialog.getByRole('button', { name: '가져오기' }).click();
    await page.getByText('임시 저장본으로 가져왔습니다', { exact: false }).first().waitFor();
    await page.getByText('게시하기 전에 수정할 곳 1').click();
    await page.getByRole('button', { name: '연구실 › 첫 화면의 한 문장 › English' }).click();
    await page
      .getByRole('textbox', { name: '첫 화면의 한 문장 English' })
      .and(page.locator(':focus'))
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('EDIT-1 no text is so long that the page is wider than its window', async () => {
    const wide = (value: unknown, key = ''): unknown => {
      if (Array.isArray(value)) return value.map((item: unknown) => wide(item));
      if (typeof value === 'object' && value !== null && 'ko' in value)
        return key === 'name' ? value : { ko: '가'.repeat(100), en: 'W'.repeat(100) };
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, wide(inside, name)]));
    };
    const content = contentSchema.parse(wide(firstVersion));
    content.lab.name = { ko: '가'.repeat(100), en: 'W'.repeat(100) };
    for (const person of [...content.people.professors, ...content.people.graduate_students])
      person.name = { ko: '가'.repeat(100), en: 'W'.repeat(100) };
    await publish(content);
    const { page } = await visit(stack, { at: '/en' });
    for (const [path, width] of [
      ['/en', 390],
      ['/en', 1280],
      ['/ko', 390],
      ['/ko', 1280],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(stack.origin + path);
      const shown = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(shown, `${path} ${width}`).toBeLessThanOrEqual(width);
    }
  });

  test('EDIT-5 of two who add a person at once each goes on with their own', async () => {
    await publish(firstVersion);
    const [one, two] = [await open('admin@lab.test'), await open('admin@lab.test')];
    const name = (page: Page) => page.getByRole('textbox', { name: '이름 한국어' });
    for (const { page } of [one, two]) {
      await section(page, '구성원');
      await page.getByRole('button', { name: '대학원생 추가' }).click();
    }
    await name(one.page).fill('하나');
    await one.page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await name(two.page).fill('두나');
    await two.page.getByText('다른 사람이 그 사이에 저장한 변경을 합쳤습니다', { exact: false }).waitFor();
    await two.page.getByRole('button', { name: '하나 작업' }).waitFor();
    await expect.poll(() => name(two.page).inputValue()).toBe('두나');
  });

  test('EDIT-1 the keyboard orders people and stays with whom it moved, a person changes the group and gets a face, and BibTeX is judged as it is typed', async () => {
    await publish(withStudents(['가온', '나래', '다온']));
    const { page, problems } = await open('admin@lab.test');
    await section(page, '구성원');
    await page.getByRole('button', { name: '나래 작업' }).focus();
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      );
    for (const [action, place] of [
      ['위로', 1],
      ['아래로', 2],
    ] as const) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toBe(action);
      await page.keyboard.press('Enter');
      await page.getByText(`나래: 3개 중 ${place}번째`).waitFor({ state: 'attached' });
      await expect.poll(focused).toBe('나래 작업');
    }

    await page.getByRole('button', { name: '나래', exact: true }).click();
    await page.getByRole('combobox', { name: '구분' }).click();
    await page.getByRole('option', { name: '대학원 졸업생' }).click();
    await page
      .getByRole('region', { name: '대학원 졸업생' })
      .getByRole('button', { name: '나래', exact: true })
      .waitFor();
    // The form stays open where the person is now.
    await page
      .getByRole('region', { name: '대학원 졸업생' })
      .getByRole('textbox', { name: '졸업 뒤에 간 곳 한국어' })
      .waitFor();
    const students = page.getByRole('region', { name: '대학원생' });
    // The round part of a face is what is stored.
    await page.getByRole('button', { name: '가온', exact: true }).click();
    const face = await facePicture();
    // Chosen is taken: the round part in the middle, until somebody says another.
    for (const take of [
      () => students.locator('input[type=file]').setInputFiles(face),
      () => students.getByRole('button', { name: '이 부분 쓰기' }).click(),
    ]) {
      const [stored] = await Promise.all([
        page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/content/pictures'),
        take(),
      ]);
      expect(await stored.json()).toEqual({ file: expect.stringMatching(/^[0-9a-f]{16}-200x200\./) });
    }

    await section(page, '논문');
    await page.getByRole('textbox', { name: 'BibTeX' }).fill('@article{a,\n  title={가},\n  year={20x6}\n}');
    await page
      .getByText(/^\d행: /)
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: '게시', exact: true })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('EDIT-1 the form begins high beside its sections, and a picture in place of the example asks for words of its own', async () => {
    await publish(firstVersion);
    const { page, problems } = await open('admin@lab.test');
    await page.setViewportSize({ width: 1280, height: 800 });
    const first = await page.getByRole('textbox', { name: '이름 한국어' }).boundingBox();
    expect(first?.y).toBeLessThanOrEqual(260);
    await section(page, '사진');
    const people = page.getByRole('region', { name: /^사람들의 사진/ });
    await people.getByRole('button', { expanded: false }).first().click();
    await people.locator('input[type=file]').setInputFiles(await facePicture());
    const words = ['사진을 볼 수 없는 사람을 위한 설명 한국어', '사진 설명 English'];
    for (const name of words)
      await expect.poll(() => people.getByRole('textbox', { name }).inputValue()).toBe('');
    await page.getByText(/^게시하기 전에 수정할 곳/).waitFor();
    await page.getByText('임시 저장되었습니다', { exact: false }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('combobox', { name: '내용 항목' }).click();
    await page.getByRole('option', { name: '소식', exact: true }).click();
    await page.getByRole('button', { name: '소식 추가' }).waitFor();
    expect(problems).toEqual([]);
  });
});
