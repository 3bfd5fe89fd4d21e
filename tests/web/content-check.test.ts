import { joinUs } from '#content/join';
import { about as aboutEn } from '#content/about.en';
import { about as aboutKo } from '#content/about.ko';
import { lab as labEn } from '#content/lab.en';
import { lab as labKo } from '#content/lab.ko';
import { news } from '#content/news';
import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import { photographs } from '#content/photographs';
import { projects } from '#content/projects';
import type { LabPeople, PersonCard } from '#contract/people';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contentProblems, type Content } from '../../web/vite/content-check.ts';

const ours: Content = {
  labs: { ko: labKo, en: labEn },
  abouts: { ko: aboutKo, en: aboutEn },
  people: { ko: peopleKo, en: peopleEn },
  news,
  projects,
  joinUs,
  photographs,
  files: readdirSync('content/photographs'),
};

test('PUB-21 our own content is in order, and shows each of the optional parts', () => {
  expect(contentProblems(ours)).toEqual([]);
  for (const { length } of [news, projects, photographs]) expect(length).toBeGreaterThan(0);
  expect([joinUs, aboutKo.result, aboutKo.hardware].every((part) => part !== undefined)).toBe(true);
  const [professor] = peopleKo.professors;
  expect(Object.keys(professor?.links ?? {})).toEqual(['homepage', 'scholar', 'orcid', 'github']);
  expect(professor?.photograph?.alt).toBeTruthy();
});

test('PUB-21 nothing of it is needed', () => {
  const { result: _ko, hardware: _drawn, ...plainKo } = aboutKo;
  const { result: _en, hardware: _alsoDrawn, ...plainEn } = aboutEn;
  const empty = { news: [], projects: [], joinUs: undefined, photographs: [], files: [] };
  const without = (people: LabPeople): LabPeople => ({ ...people, professors: [], graduate_alumnis: [] });
  expect(
    contentProblems({
      ...empty,
      labs: { ko: labKo, en: labEn },
      abouts: { ko: plainKo, en: plainEn },
      people: { ko: without(peopleKo), en: without(peopleEn) },
    }),
  ).toEqual([]);
});

describe('what is wrong is named with its file and entry', () => {
  const item = { date: '2026-03-02', text: { ko: '소식', en: 'News' } };
  const project = {
    topic: 'Energy harvesting',
    name: { ko: '과제', en: 'Project' },
    years: '2026',
    funder: { ko: '재단', en: 'Fund' },
    text: { ko: '설명', en: 'Text' },
  };
  const picture = {
    file: 'sensor-node.jpg',
    alt: { ko: '보드', en: 'Board' },
    caption: { ko: '보드', en: 'Board' },
  };
  const card = (more: Partial<PersonCard>): Partial<Content> => ({
    people: {
      ko: { ...peopleKo, professors: [{ name: '홍길동', position: '교수', department: '학부', ...more }] },
      en: peopleEn,
    },
  });
  const { result: _, ...withoutResult } = aboutEn;
  if (!joinUs) throw new Error('the demo content seeks somebody');

  test.each<[string, Partial<Content>]>([
    ['content/news.ts: 2026-02-30 소식: "2026-02-30" is no day', { news: [{ ...item, date: '2026-02-30' }] }],
    ['content/news.ts: 2026-3-2 소식: "2026-3-2" is no day', { news: [{ ...item, date: '2026-3-2' }] }],
    [
      'content/news.ts: 2026-03-02 소식: text: the English text is missing',
      { news: [{ ...item, text: { ko: '소식', en: ' ' } }] },
    ],
    ['"javascript:alert(1)" is neither', { news: [{ ...item, link: 'javascript:alert(1)' }] }],
    ['"//elsewhere.example" is neither', { news: [{ ...item, link: '//elsewhere.example' }] }],
    [
      'content/projects.ts: 과제: "Gardening" is no topic of content/about.en.ts',
      { projects: [{ ...project, topic: 'Gardening' }] },
    ],
    [
      'content/projects.ts: 과제: funder: the Korean text is missing',
      { projects: [{ ...project, funder: { ko: '', en: 'Fund' } }] },
    ],
    ['content/join.ts: until: "2027.05.28" is no day', { joinUs: { ...joinUs, until: '2027.05.28' } }],
    ['content/join.ts: positions: say who is sought', { joinUs: { ...joinUs, positions: [] } }],
    [
      'content/join.ts: positions 1: gets: the English text is missing',
      {
        joinUs: {
          ...joinUs,
          positions: [{ who: item.text, brings: item.text, gets: { ko: '장학금', en: '' } }],
        },
      },
    ],
    [
      'content/photographs.ts: gone.jpg: "gone.jpg" is not in content/photographs',
      { photographs: [{ ...picture, file: 'gone.jpg' }] },
    ],
    [
      'content/photographs.ts: sensor-node.jpg: "sensor-node.jpg" needs a text',
      { photographs: [{ ...picture, alt: { ko: '보드', en: '' } }] },
    ],
    [
      'content/people.ko.ts: 홍길동: "gone.jpg" is not',
      card({ photograph: { file: 'gone.jpg', alt: '홍길동' } }),
    ],
    [
      'content/people.ko.ts: 홍길동: links: github: ',
      card({ links: { github: 'https://elsewhere.example/hong' } }),
    ],
    ['content/people.ko.ts: 홍길동: links: homepage: ', card({ links: { homepage: 'hong.example' } })],
    [
      'content/people.ko.ts: 홍길동: links: orcid: "https://orcid.org/0000-0009-1412-2020" has a digit',
      card({ links: { orcid: 'https://orcid.org/0000-0009-1412-2020' } }),
    ],
    [
      'content/lab.en.ts: email: write AT in place of @',
      { labs: { ko: labKo, en: { ...labEn, email: 'lab@hanbit.example' } } },
    ],
    [
      'content/people.en.ts: graduate_alumnis: 0 where content/people.ko.ts has',
      { people: { ko: peopleKo, en: { ...peopleEn, graduate_alumnis: [] } } },
    ],
    ['content/about.en.ts: result is missing', { abouts: { ko: aboutKo, en: withoutResult } }],
  ])('PUB-21 %s', (line, wrong) => {
    const problems = contentProblems({ ...ours, ...wrong });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(line);
  });
});
