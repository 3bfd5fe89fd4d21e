/** The work kept in this browser, for whoever asked for it. It is sent nowhere. */
import { isRecord } from '../../lib/is-record.ts';
import { readStoredText, writeStoredText } from '../../lib/stored-text.ts';
import { FIELDS, type Mapping } from './columns.ts';
import { DEFAULT_RULES, METHODS, type Rules } from './rules.ts';
import { GRADES, type Grade } from './scale.ts';
import { EMPTY_WORK, type Work } from './work.ts';

/** Each account of a shared computer has its own. */
const keyOf = (userId: number) => `scores-${userId}`;

export function readKept(userId: number): Work | undefined {
  const text = readStoredText(keyOf(userId));
  return text === null ? undefined : parseKept(text);
}

/** @returns whether the browser has taken it: storage can be full or closed */
export function keep(userId: number, work: Work): boolean {
  const text = JSON.stringify({ ...work, before: undefined });
  writeStoredText(keyOf(userId), text);
  return readStoredText(keyOf(userId)) === text;
}

export function forgetKept(userId: number): void {
  try {
    localStorage.removeItem(keyOf(userId));
  } catch {
    // Where storage is closed nothing was kept.
  }
}

/** What was kept, part by part; a part that another version of the page wrote otherwise is as at first. */
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
    excluded: Array.isArray(kept.excluded) ? kept.excluded.filter(isNumber) : EMPTY_WORK.excluded,
    before: undefined,
  };
}

function mappingOf(value: unknown): Mapping {
  if (!isRecord(value)) return EMPTY_WORK.mapping;
  const { header, columns } = value;
  const kept = isRecord(columns) ? columns : {};
  return {
    header: isNumber(header) ? header : undefined,
    columns: Object.fromEntries(
      FIELDS.flatMap((field) => (isNumber(kept[field]) ? [[field, kept[field]]] : [])),
    ),
  };
}

function rulesOf(value: unknown): Rules {
  if (!isRecord(value)) return DEFAULT_RULES;
  const { shares, floors, attendance, cutoffs } = value;
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
    plusShare: numberOr(value.plusShare, DEFAULT_RULES.plusShare),
    rounding: (['down', 'half-up'] as const).find((each) => each === value.rounding) ?? 'none',
    floors: scoresByGrade(floors),
    attendance: {
      meaning: meaning ?? 'off',
      sessions: numberOr(rule.sessions, sessions),
      threshold: numberOr(rule.threshold, threshold),
      latesPerAbsence: numberOr(rule.latesPerAbsence, latesPerAbsence),
    },
    cutoffs: isRecord(cutoffs) ? scoresByGrade(cutoffs) : undefined,
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

function byHandOf(value: unknown): Work['byHand'] {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([row, given]) => {
      const grade = GRADES.find((each) => each === given);
      return grade ? [[row, grade]] : [];
    }),
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
