import { hasAccess, LEVELS, MEMBER } from '#contract/access-levels';
import { firstVersion } from '#content/first-version';
import { site } from '#content/lab.site';
import { localize } from '#contract/content';
import { visiblePeople, type PeopleGroup, type PersonCard } from '#contract/people-groups';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dayText, isDayOver } from '../../web/src/features/landing/days.ts';
import { embeddedMapUrl } from '../../web/src/features/landing/components/map-frame.tsx';
import { mapLinks, telephoneAddress } from '../../web/src/features/landing/contact-links.ts';
import { builtContent } from '../../web/vite/content-plugin.ts';

const card = (name: string): PersonCard => ({
  name,
  position: '연구원',
  department: '컴퓨터공학부',
  email: `${name}@lab.test`,
});
const groups: Record<PeopleGroup, PersonCard[]> = {
  professors: [card('교수')],
  graduate_students: [],
  undergraduate_students: [card('학부생')],
  graduate_alumnis: [card('졸업생')],
  undergraduate_alumnis: [card('학부졸업생')],
};

describe('who is shown whom', () => {
  test('PUB-4 PUB-6 a visitor is shown no undergraduate and no plain address', () => {
    const text = JSON.stringify(visiblePeople(groups, undefined));
    expect(text).toContain('교수 AT lab.test');
    expect(text).not.toMatch(/학부생|학부졸업생|@/);
  });

  test('PUB-5 the empty group of graduate students is there for everybody', () => {
    for (const level of [undefined, ...LEVELS]) {
      expect(visiblePeople(groups, level).graduate_students).toEqual([]);
    }
  });

  test('PUB-6 undergraduates are shown at level 5 or lower alone', () => {
    const sees = (level: number) => 'undergraduate_students' in visiblePeople(groups, level);
    expect(LEVELS.filter(sees)).toEqual(LEVELS.filter((level) => hasAccess(level, MEMBER)));
    expect(visiblePeople(groups, 8).professors).toEqual([card('교수')]);
  });
});

describe('what a lab writes about itself', () => {
  test('PUB-3 has five topics in both languages', () => {
    expect(firstVersion.about.topics).toHaveLength(5);
    expect(existsSync(`content/pictures/${site.picture.file}`)).toBe(true);
  });

  test('PUB-8 spells its address with AT, and its place leads to the same spot on every map', () => {
    for (const locale of ['ko', 'en'] as const) {
      const { email, place } = localize(builtContent().lab, locale);
      expect(email).toMatch(/^\S+ AT \S+$/);
      const { latitude, longitude } = place;
      const marker = new URL(embeddedMapUrl(place)).searchParams.get('marker');
      expect(marker).toBe(`${latitude},${longitude}`);
      for (const link of Object.values(mapLinks(place))) {
        expect(link).toContain(String(latitude));
        expect(link).toContain(String(longitude));
      }
    }
  });
});

test('PUB-18 a phone number can be called from abroad', () => {
  expect(telephoneAddress('02-555-0142')).toBe('tel:+82-2-555-0142');
  expect(telephoneAddress(' 031 5550 142 ')).toBe('tel:+82-31-5550-142');
  expect(telephoneAddress('+82 (2) 555-0142')).toBe('tel:+82-2-555-0142');
});

test('PUB-21 an invitation holds to the end of its last day in Seoul', () => {
  expect(isDayOver('2027-05-28', Date.parse('2027-05-28T14:59:59Z'))).toBe(false);
  expect(isDayOver('2027-05-28', Date.parse('2027-05-28T15:00:00Z'))).toBe(true);
});

test('PUB-21 a day is written as each language does', () => {
  expect(dayText('2026-03-02', 'ko')).toBe('2026.03.02');
  expect(dayText('2026-03-02', 'en')).toBe('Mar 2, 2026');
});
