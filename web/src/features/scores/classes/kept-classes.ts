/** Classes kept in this browser until logout, each under a name given by the user. They are never sent anywhere. */
import { isRecord } from '../../../lib/is-record.ts';
import { privateKey, privateNames } from '../../../lib/private-storage.ts';
import { readStoredText, writeStoredText } from '../../../lib/stored-text.ts';
import { FIELDS, type Mapping } from '../columns/class-list.ts';
import { DEFAULT_RULES, METHODS, type Rules } from '../grading/rules.ts';
import { type Grade, GRADES } from '../grading/scale.ts';
import type { Deduction, Part, Weighting } from '../weights/weighting.ts';
import { EMPTY_WORK, type Heading, tableOf, type Work } from '../work.ts';

const START = 'scores/';

export const keyOf = (userId: number, name: string) => privateKey(userId, START + name);
/** In sessionStorage: the class that is restored after a reload. */
const openKey = (userId: number) => privateKey(userId, 'scores-open');

/** The stored text of a class; a different one means that another tab has changed it. */
export type Kept = { text: string; work: Work };

export function keptNames(userId: number): string[] {
  return privateNames(userId, START)
    .map((name) => name.slice(START.length))
    .sort((a, b) => a.localeCompare(b, 'ko'));
}

export function readKept(userId: number, name: string): Kept | undefined {
  const text = readStoredText(keyOf(userId, name));
  const work = text === null ? undefined : parseKept(text);
  return text !== null && work ? { text, work } : undefined;
}

/**
 * Stores a class, unless its place contains something unknown to this tab.
 * @param seen what this tab last read or wrote there; null for nothing
 * @returns the stored text, or why it was not stored: another tab's work, or storage that is full or blocked
 */
export function keep(
  userId: number,
  name: string,
  work: Work,
  seen: string | null,
): { text: string } | 'elsewhere' | 'refused' {
  const key = keyOf(userId, name);
  if (readStoredText(key) !== seen) return 'elsewhere';
  const text = JSON.stringify({ ...work, before: undefined });
  writeStoredText(key, text);
  return readStoredText(key) === text ? { text } : 'refused';
}

export function forgetKept(userId: number, name: string): void {
  try {
    localStorage.removeItem(keyOf(userId, name));
  } catch {
    // With storage blocked, nothing was kept.
  }
}

export function openName(userId: number): string | undefined {
  try {
    return sessionStorage.getItem(openKey(userId)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function setOpenName(userId: number, name: string | undefined): void {
  try {
    if (name === undefined) sessionStorage.removeItem(openKey(userId));
    else sessionStorage.setItem(openKey(userId), name);
  } catch {
    // The class is then offered after a reload.
  }
}

/** What stands above the header. */
export function titleOf({
  text,
  mapping: { header = 0 },
}: Pick<Work, 'text' | 'mapping'>): string | undefined {
  const title = tableOf(text)
    .slice(0, header)
    .flat()
    .find((cell) => cell !== '');
  return title?.replace(/\s+/g, ' ').slice(0, NAME_LENGTH);
}

/** Default name of a class: the title above its header, or the next number. */
export function firstName(work: Work, taken: readonly string[]): string {
  const title = titleOf(work);
  if (title !== undefined) return title;
  let number = 1;
  while (taken.includes(`강의 ${number}`)) number += 1;
  return `강의 ${number}`;
}

export const NAME_LENGTH = 60;

/** Parses stored work part by part; parts in an unknown format get their defaults. */
export function parseKept(text: string): Work | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(kept) || typeof kept.text !== 'string') return undefined;
  const { style } = kept;
  return {
    text: kept.text,
    mapping: mappingOf(kept.mapping),
    rules: rulesOf(kept.rules),
    style: {
      zero: isRecord(style) && style.zero === 'A0' ? 'A0' : 'A',
      fail: isRecord(style) && style.fail === 'NP' ? 'NP' : 'N',
    },
    byHand: byHandOf(kept.byHand),
    excluded: rowsOf(kept.excluded),
    included: rowsOf(kept.included),
    outside: rowsOf(kept.outside),
    weighting: weightingOf(kept.weighting),
    heading: headingOf(kept.heading),
    before: undefined,
  };
}

function mappingOf(value: unknown): Mapping {
  if (!isRecord(value)) return EMPTY_WORK.mapping;
  const { header, columns, familyName } = value;
  const kept = isRecord(columns) ? columns : {};
  return {
    header: isNumber(header) ? header : undefined,
    columns: Object.fromEntries(
      FIELDS.flatMap((field) => (isNumber(kept[field]) ? [[field, kept[field]]] : [])),
    ),
    ...(isNumber(familyName) && { familyName }),
  };
}

function rulesOf(value: unknown): Rules {
  if (!isRecord(value)) return DEFAULT_RULES;
  const { shares, floors, attendance, cutoffs, regulation } = value;
  const method = METHODS.find((each) => each === value.method) ?? DEFAULT_RULES.method;
  const rule = isRecord(attendance) ? attendance : {};
  const meaning = (['absences', 'attended', 'percent'] as const).find((each) => each === rule.meaning);
  const numberOr = (given: unknown, otherwise: number) => (isNumber(given) ? given : otherwise);
  const { sessions, threshold, latesPerAbsence } = DEFAULT_RULES.attendance;
  return {
    method,
    shares: {
      relative: sharesOf(shares, 'relative'),
      relaxed: sharesOf(shares, 'relaxed'),
      absolute: sharesOf(shares, 'absolute'),
      'pass-fail': sharesOf(shares, 'pass-fail'),
    },
    scale: value.scale === 'minus' ? 'minus' : 'plus',
    plusShare: numberOr(value.plusShare, DEFAULT_RULES.plusShare),
    minusShare: numberOr(value.minusShare, DEFAULT_RULES.minusShare),
    regulation:
      isRecord(regulation) && typeof regulation.id === 'string' && isNumber(regulation.kind)
        ? { id: regulation.id, kind: regulation.kind }
        : undefined,
    rounding: (['down', 'half-up'] as const).find((each) => each === value.rounding) ?? 'none',
    floors: scoresByGrade(floors),
    attendance: {
      meaning: meaning ?? 'off',
      sessions: numberOr(rule.sessions, sessions),
      threshold: numberOr(rule.threshold, threshold),
      latesPerAbsence: numberOr(rule.latesPerAbsence, latesPerAbsence),
    },
    cutoffs: isRecord(cutoffs) ? scoresByGrade(cutoffs) : undefined,
    isUncapped: value.isUncapped === true,
  };
}

function sharesOf(value: unknown, method: Rules['method']): readonly number[] {
  const kept = isRecord(value) ? value[method] : undefined;
  const otherwise = DEFAULT_RULES.shares[method];
  return Array.isArray(kept) && kept.length === otherwise.length && kept.every(isNumber) ? kept : otherwise;
}

function scoresByGrade(value: unknown): Partial<Record<Grade, number>> {
  const kept = isRecord(value) ? value : {};
  return Object.fromEntries(GRADES.flatMap((grade) => (isNumber(kept[grade]) ? [[grade, kept[grade]]] : [])));
}

function weightingOf(value: unknown): Weighting | undefined {
  if (!isRecord(value) || !Array.isArray(value.parts) || !Array.isArray(value.deductions)) return undefined;
  return {
    parts: value.parts.filter(isRecord).map((part): Part => {
      const columns = Array.isArray(part.columns) ? part.columns.filter(isRecord) : [];
      return {
        columns: columns.flatMap(({ column, full }) =>
          isNumber(column) ? [{ column, full: isNumber(full) ? full : undefined }] : [],
        ),
        weight: isNumber(part.weight) ? part.weight : undefined,
        missing: (['left-out', 'fail'] as const).find((each) => each === part.missing) ?? 'zero',
        best: isNumber(part.best) ? part.best : columns.length,
      };
    }),
    deductions: value.deductions
      .filter(isRecord)
      .flatMap(({ column, points, free, most }): Deduction[] =>
        isNumber(column) && isNumber(points) && isNumber(free)
          ? [{ column, points, free, most: isNumber(most) ? most : undefined }]
          : [],
      ),
    isSumFree: value.isSumFree === true,
  };
}

function headingOf(value: unknown): Heading {
  const text = (given: unknown) => (typeof given === 'string' ? given : '');
  const { course, term, lecturer } = isRecord(value) ? value : {};
  return { course: text(course), term: text(term), lecturer: text(lecturer) };
}

function byHandOf(value: unknown): Work['byHand'] {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([row, given]) => {
      const grade = GRADES.find((each) => each === given);
      return grade ? [[row, grade]] : [];
    }),
  );
}

function rowsOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter(isNumber) : [];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
