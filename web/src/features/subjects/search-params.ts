import { COURSE_YEAR_MIN } from '#contract/course-target';
import type { Department, SubjectSemester } from '#contract/subjects';
import { type SubjectTerm, DEPARTMENTS } from './labels.ts';
import { defaultSubjectTerm } from '#contract/terms';
import { SEOUL_OFFSET_MS } from '#contract/time';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { serverNow } from '../../lib/server-time.ts';

export type SubjectsView = 'list' | 'week' | 'input';

/** Grades of the filter chips; 0 is the graduate level. */
export const FILTER_GRADES = [1, 2, 3, 4, 0] as const;

export type SubjectFilters = SubjectTerm & {
  departments: readonly Department[];
  /** Visible grades; empty for all. */
  grades: readonly number[];
  view: SubjectsView;
};

/** Selectable years, newest first. In December they include the next year, whose timetables appear then. */
export function selectableYears(now: number): number[] {
  const seoul = new Date(now + SEOUL_OFFSET_MS);
  const newest = seoul.getUTCFullYear() + Number(seoul.getUTCMonth() === 11);
  return Array.from({ length: Math.max(1, newest - COURSE_YEAR_MIN + 1) }, (_, back) => newest - back);
}

/** The search parameters for the filters; filters with their default value are left out. */
type ChoiceAddress = {
  dept?: string;
  year?: number;
  semester?: SubjectSemester;
  grade?: string;
  view?: SubjectsView;
};

const FIRST_DEPARTMENTS: readonly Department[] = ['aics', 'cs'];
const SEMESTERS: readonly SubjectSemester[] = ['spring', 'summer', 'fall', 'winter'];
const VIEWS: readonly SubjectsView[] = ['list', 'week', 'input'];

/** Reads the filters from an address; invalid values are ignored. */
export function readSubjectsSearch(address: Record<string, unknown>, now: number): SubjectFilters {
  const { dept, year, semester, grade, view } = address;
  const term = defaultSubjectTerm(now);
  const isYear = typeof year === 'number' && selectableYears(now).includes(year);
  const named = typeof dept === 'string' ? dept.split(',') : [];
  const departments = DEPARTMENTS.filter((department) => named.includes(department));
  const grades = typeof grade === 'string' || typeof grade === 'number' ? String(grade).split(',') : [];
  return {
    // An empty selection of departments is valid.
    departments: departments.length > 0 || dept === '' ? departments : FIRST_DEPARTMENTS,
    year: isYear ? year : term.year,
    semester: SEMESTERS.find((each) => each === semester) ?? term.semester,
    grades: FILTER_GRADES.filter((each) => grades.includes(String(each))),
    view: VIEWS.find((each) => each === view) ?? 'list',
  };
}

export function subjectsSearchOf(choice: SubjectFilters, now: number): ChoiceAddress {
  const { departments, year, semester, grades, view } = choice;
  const term = defaultSubjectTerm(now);
  const dept = departments.join(',');
  return {
    ...(dept !== FIRST_DEPARTMENTS.join(',') && { dept }),
    ...(year !== term.year && { year }),
    ...(semester !== term.semester && { semester }),
    ...(grades.length > 0 && { grade: grades.join(',') }),
    ...(view !== 'list' && { view }),
  };
}

/**
 * Keeps the filters in the address. Navigation takes time, and a quick second click on a chip would be lost,
 * so a change is shown at once and the address is updated later.
 */
export function useFilters(): [choice: SubjectFilters, choose: (choice: SubjectFilters) => void] {
  const search = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  const [now] = useState(serverNow);
  const address = JSON.stringify(search);
  const [shown, setShown] = useState({ address, choice: readSubjectsSearch(search, now) });
  if (shown.address !== address) setShown({ address, choice: readSubjectsSearch(search, now) });
  const choose = (choice: SubjectFilters) => {
    setShown({ ...shown, choice });
    void navigate({ to: '.', search: subjectsSearchOf(choice, now), replace: true, resetScroll: false });
  };
  return [shown.choice, choose];
}
