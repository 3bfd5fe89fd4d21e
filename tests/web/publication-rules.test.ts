import { firstVersion } from '#content/first-version';
import { contentProblems, exampleTextParts } from '#content/publication-rules';
import type { Content } from '#contract/content';
import { contentSchema, completeContent } from '#contract/content-schema';
import { SESSION_COOKIE } from '#contract/session';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const files = readdirSync('content/photographs');
const nothing = { ko: '', en: '' };

test('PUB-21 EDIT-5 our own content fits the schema, is in order, and shows each of the optional parts', () => {
  expect(contentSchema.parse(firstVersion)).toEqual(firstVersion);
  expect(contentProblems(firstVersion, files)).toEqual([]);
  const { news, projects, photographs, join, about } = firstVersion;
  const { group, lists, ways } = firstVersion;
  for (const { length } of [news, projects, photographs, group, lists, ways])
    expect(length).toBeGreaterThan(0);
  expect([join, about.result, about.hardware].every((part) => part !== null)).toBe(true);
  expect(Object.values(firstVersion.people.professors[0]?.links ?? {}).every((link) => link !== '')).toBe(
    true,
  );
});

test('PUB-21 nothing of it is needed', () => {
  const { people, about } = firstVersion;
  const empty: Content = {
    ...firstVersion,
    news: [],
    projects: [],
    join: null,
    photographs: [],
    group: [],
    about: { ...about, result: null, hardware: null },
    people: { ...people, professors: [], graduate_alumnis: [] },
  };
  expect(contentProblems(empty, [])).toEqual([]);
});

test.each([
  [
    'privacy.md',
    /위탁.*국외 이전/,
    '받는 자|국가|시기와 방법|목적|항목|보유 기간|거부하는 방법',
    '완전 삭제',
  ],
  [
    'privacy.en.md',
    /abroad/,
    'Recipient|Countries|When and how|Purpose|Data|Kept|How to refuse',
    'deleting it for good',
  ],
])(
  'PUB-28 %s has what the law asks, and its officer and days are content',
  (file, heading, rows, forGood) => {
    const text = readFileSync(`web/public/markdown/${file}`, 'utf8');
    const section = text.split(/^## /m).find((each) => heading.test(each.split('\n')[0] ?? '')) ?? '';
    const [, abroad = ''] = section.split('\n\n|');
    expect([...abroad.matchAll(/^\| (\S.*?) +\|/gm)].map(([, row]) => row)).toEqual(
      expect.arrayContaining(rows.split('|')),
    );
    for (const told of [
      'Cloudflare, Inc.',
      'Google LLC',
      '1833-6972',
      '118',
      '1301',
      '182',
      SESSION_COOKIE,
      '30',
      forGood,
    ])
      expect(text).toContain(told);
    for (const part of ['PrivacyOfficer', 'PrivacyVersions'])
      expect(text).toMatch(new RegExp(`^<${part} />$`, 'm'));
  },
);

test('PUB-28 what a laboratory must still fill in is told by its place', () => {
  const { privacy, group } = firstVersion;
  expect(exampleTextParts({ privacy, group })).toEqual([
    'privacy.officer',
    'privacy.position',
    'privacy.email',
    'group: placeholder-group.png',
    'group: placeholder-work.png',
  ]);
  const own = { ...privacy, email: 'cps AT univ.kr', position: { ko: '교수', en: 'Professor' } };
  expect(exampleTextParts({ privacy: { ...own, officer: { ko: '김', en: 'Kim' } }, group: [] })).toEqual([]);
  // What was published before there was such a part lacks all of it.
  const { privacy: absent } = completeContent({ ...firstVersion, privacy: undefined });
  expect(contentProblems({ ...firstVersion, privacy: absent }).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['privacy.officer.ko', 'privacy.email', 'privacy.since']),
  );
});

describe('EDIT-1 what is wrong or lacks a language is named with its place', () => {
  const change = (edit: (content: Content) => void): Content => {
    const content = structuredClone(firstVersion);
    edit(content);
    return content;
  };
  const professor = ({ people }: Content) => {
    const [first] = people.professors;
    if (!first) throw new Error('the first version has no professor');
    return first;
  };
  test.each<[string, RegExp, (content: Content) => void]>([
    ['lab.name.en', /영어/, ({ lab }) => (lab.name.en = '')],
    ['lab.email', /@학교/, ({ lab }) => (lab.email = 'lab.hanbit.example')],
    ['privacy.officer.en', /영어/, ({ privacy }) => (privacy.officer.en = '')],
    ['privacy.email', /@학교/, ({ privacy }) => (privacy.email = '')],
    ['privacy.since', /날짜/, ({ privacy }) => (privacy.since = '')],
    ['news.0.date', /날짜/, ({ news }) => Object.assign(news[0] ?? {}, { date: '2026-02-30' })],
    ['news.1.date', /날짜/, ({ news }) => Object.assign(news[1] ?? {}, { date: '2026-3-2' })],
    ['news.0.text.ko', /한국어/, ({ news }) => Object.assign(news[0]?.text ?? {}, { ko: '' })],
    ['news.0.link', /https/, ({ news }) => Object.assign(news[0] ?? {}, { link: 'javascript:alert(1)' })],
    ['news.0.link', /https/, ({ news }) => Object.assign(news[0] ?? {}, { link: '//elsewhere.example' })],
    ['news.0.link', /https/, ({ news }) => Object.assign(news[0] ?? {}, { link: '/\\elsewhere.example' })],
    [
      'news.0.link',
      /이름을 바꾸면/,
      ({ news }) => Object.assign(news[0] ?? {}, { link: '/en/projects/gone' }),
    ],
    ['projects.0.topic', /주제/, ({ projects }) => Object.assign(projects[0] ?? {}, { topic: 'Gardening' })],
    [
      'projects.1.funder.ko',
      /한국어/,
      ({ projects }) => Object.assign(projects[1]?.funder ?? {}, { ko: '' }),
    ],
    ['join.until', /날짜/, ({ join }) => Object.assign(join ?? {}, { until: '2027.05.28' })],
    ['join.positions', /누구/, ({ join }) => Object.assign(join ?? {}, { positions: [] })],
    [
      'photographs.0.file',
      /gone\.jpg/,
      ({ photographs }) => Object.assign(photographs[0] ?? {}, { file: 'gone.jpg' }),
    ],
    [
      'photographs.0.alt.en',
      /영어/,
      ({ photographs }) => Object.assign(photographs[0]?.alt ?? {}, { en: '' }),
    ],
    [
      'people.professors.0.links.github',
      /github/,
      (c) => (professor(c).links.github = 'https://elsewhere.example/a'),
    ],
    ['people.professors.0.links.homepage', /https/, (c) => (professor(c).links.homepage = 'hong.example')],
    [
      'people.professors.0.links.orcid',
      /숫자/,
      (c) => (professor(c).links.orcid = 'https://orcid.org/0000-0009-1412-2020'),
    ],
    ['people.professors.0.office.en', /영어/, (c) => (professor(c).office = { ...nothing, ko: '412호' })],
    ['people.professors.0.email', /이메일/, (c) => (professor(c).email = 'cps AT lab')],
  ])('%s', (path, message, edit) => {
    const problems = contentProblems(change(edit), files);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.message).toMatch(message);
  });
});
