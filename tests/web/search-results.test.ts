import type { SearchableRecords } from '#contract/find';
import { describe, expect, test } from 'vitest';
import {
  recordEntries,
  screenEntries,
  findMatches,
  ENTRIES_PER_KIND_MAX,
} from '../../web/src/components/find/search-results.ts';
import type { LoginState } from '../../web/src/lib/login-state.ts';

const findable: SearchableRecords = {
  students: [
    { id: '202600001', name: '홍길동', department: '컴퓨터과학과' },
    { id: '202600012', name: '고길동', department: '' },
    { id: '202600120', name: '한기대', department: '인공지능학과' },
  ],
  courses: [{ id: 7, year: 2026, semester: 3, subject: '운영체제', subject_en: 'Operating Systems' }],
  subjects: [
    { id: 'CS301', name: '운영체제', department: 'cs', year: 2026, semester: 'fall' },
    { id: 'CS101', name: '컴퓨터 구조', department: 'cs', year: 2025, semester: 'spring' },
  ],
  plants: ['rosemary', '7'],
};
const userOfLevel = (secureLevel: number): LoginState => ({
  id: 1,
  isLoggedIn: true,
  email: 'someone@lab.test',
  name: '누군가',
  univId: null,
  secureLevel,
});
const everything = [...screenEntries(userOfLevel(1)), ...recordEntries(findable)];

/** What is shown, as `kind title`. */
const shownOf = (input: string, entries = everything) =>
  findMatches(entries, input).flatMap(({ kind, shown }) => shown.map(({ title }) => `${kind} ${title}`));

describe('finding anything', () => {
  test('NAV-11 by name, part of a name, 초성, number, and whatever the width and case', () => {
    expect(shownOf('홍길동')).toEqual(['student 홍길동']);
    expect(shownOf('길동')).toEqual(['student 홍길동', 'student 고길동']);
    expect(shownOf('ㅎㄱㄷ')).toEqual(['student 홍길동', 'student 한기대']);
    expect(shownOf('２０２６００００１')).toEqual(['student 홍길동']);
    expect(shownOf('cs101')).toEqual(['subject 컴퓨터 구조']);
    expect(shownOf('컴퓨터구조')).toEqual(['subject 컴퓨터 구조']);
    expect(shownOf('ROSE')).toEqual(['plant rosemary']);
    expect(shownOf('operating')).toEqual(['course 운영체제']);
  });

  test('NAV-11 every word has to be found, wherever', () => {
    expect(shownOf('운영 2026년')).toEqual(['course 운영체제', 'subject 운영체제']);
    expect(shownOf('길동 컴퓨터과학과')).toEqual(['student 홍길동']);
    expect(shownOf('길동 없음')).toEqual([]);
  });

  test('NAV-11 what is called so comes first, then what begins so', () => {
    const named = recordEntries({
      ...findable,
      students: [],
      courses: [],
      subjects: [],
      plants: ['a7', '77', '7'],
    });
    expect(shownOf('7', named)).toEqual(['plant 7', 'plant 77', 'plant a7']);
  });

  test('NAV-11 leads to the row: the card, the form, the term, the plant', () => {
    const placeOf = (input: string) => findMatches(everything, input)[0]?.shown[0]?.place;
    expect(placeOf('홍길동')).toEqual({ to: '/manage_students', row: '202600001' });
    expect(placeOf('operating')).toEqual({ to: '/manage_courses', search: { tab: 'form', id: 7 } });
    expect(placeOf('cs101')).toEqual({
      to: '/manage_subjects_list',
      search: { dept: 'cs', year: 2025, semester: 'spring' },
      row: 'CS101',
    });
    expect(placeOf('rosemary')).toEqual({ to: '/manage_plants', search: { plants: ['rosemary'] } });
  });

  test('NAV-11 without a word shows the screens, and only those of the level', () => {
    const screens = shownOf('');
    expect(screens).toContain('screen 과목 목록');
    expect(screens).toContain('screen 화분 관리');
    expect(screens.every((each) => each.startsWith('screen'))).toBe(true);
    expect(shownOf('', screenEntries(userOfLevel(3)))).toEqual([
      'screen 설정',
      'screen 내 정보',
      'screen 랩비 관리',
    ]);
    expect(shownOf('ㅎㅅㄱㄹ')).toEqual(['screen 학생 관리']);
    expect(shownOf('회비')).toEqual(['screen 랩비 관리']);
  });

  test('NAV-11 of many the first are shown and the rest counted', () => {
    const students = Array.from({ length: 40 }, (_, at) => ({
      id: `2026${at}000`,
      name: `학생${at}`,
      department: '',
    }));
    const [found] = findMatches(recordEntries({ ...findable, students }), '학생');
    expect(found?.shown).toHaveLength(ENTRIES_PER_KIND_MAX);
    expect(found?.more).toBe(40 - ENTRIES_PER_KIND_MAX);
  });
});
