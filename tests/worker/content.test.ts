import { env } from 'cloudflare:workers';
import { firstVersion } from '#content/first-version';
import { contentSchema } from '#contract/content-schema';
import type { Content, ContentState, PublishedVersion } from '#contract/content';
import { readPublications } from '#content/bibtex/read-publications';
import { plainText } from '#contract/publications';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parsePhotographName } from '#contract/public-content';
import { doiAnswers, ENTRY } from './route-fixtures.ts';
import { png } from './sample-images.ts';
import { formOf } from './uploads.ts';
import { asAdmin, call, refusal } from './client.ts';
import { api, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM content_draft'),
    env.DB.prepare('DELETE FROM content_versions'),
  ]);
});

const state = async (): Promise<ContentState> => await (await call('/content')).json();
const put = (version: number, draft: unknown) => call('/content', 'PUT', { version, draft });
const publish = async (): Promise<number> => {
  const answer = await call('/content/publish', 'POST');
  expect(answer.status).toBe(201);
  const { version } = await answer.json<{ version: number }>();
  return version;
};
const withLead = (ko: string): Content => ({
  ...firstVersion,
  lab: { ...firstVersion.lab, lead: { ...firstVersion.lab.lead, ko } },
});
const published = async () => await (await api('/content/published')).json<{ content: Content } | null>();

describe('the words of the public pages', () => {
  test('EDIT-5 the content that the product was built with is the first version, and nothing of it is stored', async () => {
    expect(await state()).toEqual({
      draft: firstVersion,
      published: firstVersion,
      version: 0,
      publishedVersion: 0,
    });
    const answer = await api('/content/published');
    expect([answer.status, await answer.json(), answer.headers.get('etag')]).toEqual([200, null, '"0"']);
  });

  test('EDIT-1 EDIT-3 a draft is seen by nobody before it is published, and then by everybody', async () => {
    const answer = await put(0, withLead('새 글'));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { draft: withLead('새 글'), published: firstVersion, version: 1, publishedVersion: 0 },
    ]);
    expect(await published()).toBeNull();
    const version = await publish();
    expect((await published())?.content.lab.lead.ko).toBe('새 글');
    expect(await state()).toMatchObject({
      version: 1,
      publishedVersion: version,
      published: withLead('새 글'),
    });
    const people = await api('/people');
    expect(await people.json()).toMatchObject({ professors: [{ name: '윤서준' }] });
  });

  test('EDIT-5 WORK-4 of two who edit at once the second is told what is stored, and nothing is lost', async () => {
    expect((await put(0, withLead('첫째'))).status).toBe(200);
    const second = await put(0, withLead('둘째'));
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({
      error: { current: { version: 1, draft: withLead('첫째') } },
    });
    expect((await put(7, withLead('셋째'))).status).toBe(409);
    expect((await state()).draft).toEqual(withLead('첫째'));
    expect((await put(1, withLead('둘째'))).status).toBe(200);
    const stale = await call('/content/publish?version=1', 'POST');
    expect(stale.status).toBe(409);
  });

  test('EDIT-5 SEC-93 what was refused is no change in the access log', async () => {
    const changes = () =>
      env.DB.prepare(
        "SELECT count(*) AS n FROM access_log WHERE action = 'change' AND subject = 'content'",
      ).first('n');
    const before = await changes();
    expect((await put(37, withLead('낡은 글'))).status).toBe(409);
    expect(await changes()).toBe(before);
  });

  test('EDIT-5 of eight who publish the same at once one makes a version, and all are told its number', async () => {
    await put(0, withLead('함께'));
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('/content/publish', 'POST')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { results } = await env.DB.prepare('SELECT id FROM content_versions').all();
    expect(results).toHaveLength(1);
  });

  test('SEC-24 a draft nested without end is refused', async () => {
    const draft = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
    expect((await put(0, draft)).status).toBe(400);
  });

  test('PUB-21 a text keeps no character that a feed must not hold', async () => {
    expect((await put(0, withLead('새\u0001 \u000b글\ufffe\n둘째 줄'))).status).toBe(200);
    expect((await state()).draft.lab.lead.ko).toBe('새 글\n둘째 줄');
  });

  test.each([
    [
      'draft.news.0.text.en',
      { ...firstVersion, news: [{ date: '2026-03-02', text: { ko: '가', en: 3 }, link: '' }] },
    ],
    ['draft.lab', { ...firstVersion, lab: undefined }],
    ['draft.people.undergraduate_students.0.photograph', privatePicture()],
    ['draft', 'text'],
  ])(
    'EDIT-1 EDIT-4 a draft that does not fit is refused by the name of its field: %s',
    async (field, draft) => {
      expect(await refusal(await put(0, draft))).toMatchObject({ status: 400, field });
      expect((await state()).version).toBe(0);
    },
  );

  test('EDIT-1 what a language lacks may stand in a draft, and is named when somebody publishes it', async () => {
    const draft = { ...withLead('글'), publications: '@article{a, author={Kim}, title={T}}' };
    draft.lab.lead.en = '';
    expect((await put(0, draft)).status).toBe(200);
    const answer = await refusal(await call('/content/publish', 'POST'));
    expect(answer).toMatchObject({ status: 400, field: 'lab.lead.en' });
    expect(await published()).toBeNull();
  });

  test('EDIT-3 every version can be read and comes back, and a draft with other changes stays', async () => {
    await put(0, withLead('하나'));
    const one = await publish();
    await put(1, withLead('둘'));
    const two = await publish();
    const versions: PublishedVersion[] = await (await call('/content/versions')).json();
    expect(versions.map(({ version }) => version)).toEqual([two, one, 0]);
    expect(versions[0]).toMatchObject({ by: '나린솔', at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await (await call(`/content/versions/${one}`)).json()).toEqual(withLead('하나'));

    expect((await call(`/content/versions/${one}/restore`, 'POST')).status).toBe(201);
    expect(await state()).toMatchObject({ draft: withLead('하나'), published: withLead('하나') });
    await put((await state()).version, withLead('셋'));
    expect((await call('/content/versions/0/restore', 'POST')).status).toBe(201);
    expect(await state()).toMatchObject({ draft: withLead('셋'), published: firstVersion });
    for (const id of ['999999', 'x', '-1', '01'])
      expect((await call(`/content/versions/${id}/restore`, 'POST')).status).toBe(404);
  });

  test.each([
    ['lab.name.ko', '{}'],
    ['privacy.officer.ko', JSON.stringify({ ...firstVersion, privacy: undefined, ways: undefined })],
    [
      'people.professors.0.department.ko',
      JSON.stringify({ ...firstVersion, people: { professors: [{ id: 'ia', links: 'x' }] } }),
    ],
  ])(
    'EDIT-3 a version from before %s existed comes back as the draft, with empty values in its place',
    async (path, stored) => {
      await put(0, withLead('게시한 글'));
      const version = await publish();
      await env.DB.prepare(
        `INSERT INTO content_versions (id, content, publications, at, user_id)
      SELECT -1, ?, publications, at, user_id FROM content_versions`,
      )
        .bind(stored)
        .run();
      await env.DB.prepare('UPDATE content_versions SET id = id + 2').run();
      const answer = await call('/content/versions/1/restore', 'POST');
      expect(answer.status).toBe(200);
      const restored = await answer.json<ContentState & { problems: { path: string }[] }>();
      expect(restored.problems.map((problem) => problem.path)).toContain(path);
      expect(contentSchema.parse(restored.draft)).toEqual(restored.draft);
      expect(await state()).toMatchObject({
        draft: restored.draft,
        version: 2,
        published: withLead('게시한 글'),
      });
      // What was missing is filled in, and then published.
      expect((await call('/content/publish', 'POST')).status).toBe(400);
      expect((await put(2, firstVersion)).status).toBe(200);
      expect(await publish()).toBeGreaterThan(version);
    },
  );

  test('EDIT-4 PUB-6 people whose names are not public are in no answer to a visitor, whatever is published', async () => {
    const draft = structuredClone(firstVersion);
    const [first] = draft.people.undergraduate_students;
    if (!first) throw new Error('there is nobody in the group');
    first.name = { ko: '비밀이', en: 'Secret' };
    draft.people.undergraduate_alumnis.push({ ...first, name: { ko: '숨김이', en: 'Hidden' } });
    await put(0, draft);
    await publish();
    for (const path of ['/content/published', '/people', '/people?lang=en'])
      expect(await (await api(path)).text()).not.toMatch(/비밀이|숨김이|Secret|Hidden|sj\.yoon@/);
    expect(JSON.stringify(await (await call('/people')).json())).toContain('비밀이');
  });

  test('EDIT-6 a photograph is judged by its content, loses its place, and is served in the width that fits', async () => {
    const answer = await call('/content/pictures', 'POST', formOf([['a.jpg', png]]));
    expect(answer.status).toBe(201);
    const { file } = await answer.json<{ file: string }>();
    const picture = parsePhotographName(file);
    expect(picture).toMatchObject({ type: 'png' });
    const path = `/content/pictures/${picture?.id}-${picture?.width}.png`;
    const served = await call(path);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
    // Nobody else sees it before it is published, or when it is shown no more.
    expect((await api(path)).status).toBe(404);
    const shown = structuredClone(firstVersion);
    shown.photographs.push({ file, alt: { ko: '가', en: 'a' }, caption: { ko: '가', en: 'a' } });
    await put(0, shown);
    await publish();
    expect((await api(`/content/pictures/${picture?.id}-640.png`)).status).toBe(200);
    await put(1, firstVersion);
    await publish();
    expect((await api(path)).status).toBe(404);
    expect((await api('/content/pictures/0000000000000000-640.png')).status).toBe(404);
    const text = new TextEncoder().encode('<script>');
    expect((await call('/content/pictures', 'POST', formOf([['a.jpg', text]]))).status).toBe(415);
  });

  test.each<[string, unknown, ...[number, string][]]>([
    ['10.5555/first', ENTRY, [200, `${ENTRY}\n`]],
    ['https://doi.org/10.5555/second', ENTRY, [404, ''], [200, ENTRY]],
    ['doi:10.5555/third', ENTRY, [500, ''], [200, ENTRY]],
    // What leads elsewhere stays a name under the one host.
    ['10.5555/../../../admin?x=#', expect.stringMatching(/^404 .*아는 곳이 없습니다/), [404, ''], [404, '']],
    ['10.5555/blank', expect.stringMatching(/^404 .*아는 곳이 없습니다/), [200, ' '], [404, '']],
    [
      '10.5555/untitled',
      expect.stringMatching(/^404 .*저자, 제목, 연도를 아는 곳이 없습니다/),
      [200, '@article{a, author={B}, year={2026}}'],
      [404, ''],
    ],
    ['10.5555/elsewhere', expect.stringMatching(/^503 .*답하지 않습니다/), [302, ENTRY], [404, '']],
    ['10.5555/page', expect.stringMatching(/^404 .*아는 곳이 없습니다/), [200, '<html>'], [200, '']],
    ['http://127.0.0.1/10.5555/x', expect.stringMatching(/^400 .*10\.으로 시작합니다/)],
    ['', expect.stringMatching(/^400 .*10\.으로 시작합니다/)],
  ])(
    'EDIT-1 the BibTeX of a DOI is looked up, and never a blank one: %s',
    async (doi, outcome, ...answers) => {
      await doiAnswers(doi.replace(/^(https:\/\/doi.org\/|doi:)/, ''), ...answers);
      const answer = await call(`/content/doi?doi=${encodeURIComponent(doi)}`);
      const { bibtex, error } = await answer.json<{ bibtex?: string; error?: { message: string } }>();
      expect(bibtex ?? `${answer.status} ${error?.message}`).toEqual(outcome);
    },
  );

  test('EDIT-1 what Crossref says is read as it comes: tags in the title, Korean names, no year, no answer in time', async () => {
    const crossref = (title: string, year = 'year={2023}, ') =>
      ` @article{Kim_2023, title={${title}}, volume={23}, ISSN={1424-8220}, url={http://dx.doi.org/10.5555/s23042001}, DOI={10.5555/s23042001}, number={4}, journal={Sensors &amp; Nodes}, publisher={Made Up AG}, author={김, 가람 and Lee, Na-Ri}, ${year}month=feb, pages={2001–2012} }\n`;
    const look = async (doi: string) => {
      const answer = await call(`/content/doi?doi=${doi}`);
      const { bibtex = '', error } = await answer.json<{ bibtex?: string; error?: { message: string } }>();
      return { status: answer.status, message: error?.message, ...readPublications(bibtex) };
    };
    const title =
      'CO<sub>2</sub> and <i>in situ</i> <mml:math><mml:mi>x</mml:mi></mml:math> &amp; <scp>LoRa</scp>';
    await doiAnswers('10.5555/tags', [200, crossref(title)]);
    const { status, papers, problems } = await look('10.5555/tags');
    expect([status, problems]).toEqual([200, []]);
    const [paper] = papers.all;
    expect(plainText(paper?.title ?? '')).toBe('CO₂ and in situ x & LoRa');
    expect(paper).toMatchObject({
      authors: [{ name: '김가람' }, { name: 'Na-Ri Lee' }],
      venue: 'Sensors & Nodes, Made Up AG, 23(4), 2001–2012',
      year: 2023,
      doi: '10.5555/s23042001',
    });
    await doiAnswers('10.5555/undated', [200, crossref('Undated', '')], [404, '']);
    expect(await look('10.5555/undated')).toMatchObject({
      status: 404,
      message: expect.stringMatching(/연도/),
    });
    // A source that does not answer is left after a while, and the other one is asked.
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 1);
      return controller.signal;
    });
    onTestFinished(() => timeout.mockRestore());
    await doiAnswers('10.5555/slow', 'nothing', 'nothing');
    expect(await look('10.5555/slow')).toMatchObject({
      status: 503,
      message: expect.stringMatching(/답하지 않습니다/),
    });
    await doiAnswers('10.5555/slow', [404, ''], [404, '']);
  });

  test('EDIT-3 the newest fifty versions are kept', async () => {
    await put(0, firstVersion);
    await env.DB.prepare(
      `INSERT INTO content_versions (content, publications, at, user_id)
       SELECT '{}', '{}', 0, 1 FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT i FROM n)`,
    ).run();
    const version = await publish();
    const versions: PublishedVersion[] = await (await call('/content/versions')).json();
    expect(versions).toHaveLength(51);
    expect(versions[0]?.version).toBe(version);
  });
});

function privatePicture() {
  const draft: object & { people: Record<string, unknown> } = structuredClone(firstVersion);
  const [first] = firstVersion.people.undergraduate_students;
  draft.people['undergraduate_students'] = [
    { ...first, photograph: { file: 'a.jpg', alt: { ko: '가', en: 'a' } } },
  ];
  return draft;
}
