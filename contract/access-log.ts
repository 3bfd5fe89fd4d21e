import * as z from 'zod';
import { textSchema } from './texts.ts';
import { instantSchema } from './plants.ts';

/** What staff did to personal data. */
export const logActionSchema = z.literal(['read', 'create', 'change', 'delete', 'export']);
export type LogAction = z.infer<typeof logActionSchema>;

/** The kind of data the action was about. */
export type LogSubject =
  | 'user'
  | 'access_log'
  | 'student'
  | 'enrolment'
  | 'picture'
  | 'ledger_entry'
  | 'receipt'
  | 'due'
  | 'plant'
  | 'receiver'
  | 'content'
  | 'bridge';

/** Query of GET /api/access_log: newest first, at most 100 rows, older than the entry `before`. */
export const accessLogQuerySchema = z.object({
  /** Part of the name, email or number of the actor or the person concerned, or the id of the request. */
  person: textSchema(100).min(1).optional(),
  action: logActionSchema.optional(),
  /** Inclusive. */
  from: instantSchema.optional(),
  /** Exclusive. */
  to: instantSchema.optional(),
  before: z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/)
    .transform(Number)
    .optional(),
});
export const ACCESS_LOG_PAGE = 100;

/** The address recorded for the system's own tasks. */
export const SYSTEM_ADDRESS = 'system';

type Person<Id> = { id: Id; name: string | null; email: string | null };

/**
 * One row of the log. Deleted people are known by id alone. A null actor is an operator's command or, with the address
 * SYSTEM_ADDRESS, one of the system's own tasks.
 */
export type AccessLogEntry = {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  actor: Person<number> | null;
  address: string;
  action: LogAction;
  subject: LogSubject;
  /** Whose data; null for a list. The id is a user's number, a student's student number or an entry's number. */
  person: Person<number | string> | null;
  /** The kind of filter and count of a list, before and after of a change, the reason for an export. */
  detail: Record<string, unknown>;
  /** Id of the request, as in its response and in the log; null for a command. */
  request: string | null;
};

const MASK = '○○○';
const BETWEEN = String.raw`[^\p{L}\p{N}]{0,3}`;
/** So many digits, maybe with blanks between them. */
const digits = (count: string) => String.raw`\d(?:\s?\d){${count}}`;
const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'), 'giu');

const [AT, DOT] = [
  ['@', 'at|골뱅이'],
  [String.raw`\.`, 'dot|점'],
].map(
  ([sign, word]) =>
    String.raw`(?:${sign}|\s*[\[({<]\s*(?:${sign}|${word})\s*[\])}>]\s*|\s+(?:${sign}|${word})\s+)`,
);
const LABEL = String.raw`[\p{L}\p{N}_-]+`;
/** Mail addresses, also as `kim [at] univ.test`. */
const ADDRESS = anyOf(String.raw`[^\s@<>()[\]{}]+${AT}${LABEL}(?:${DOT}${LABEL})+`);

const START = String.raw`(?<![\p{L}\p{N}])`;
const AREA = String.raw`(?:2|1\s?\d|[3-6]\s?\d|[57]\s?0|8\s?0)`;
const NUMBER = anyOf(
  // A resident number is one wherever it stands: day of birth, then a digit from 0 to 8 and six, seen or not.
  String.raw`(?<!\d)\d\s?\d\s?(?:0\s?[1-9]|1\s?[0-2])\s?(?:0\s?[1-9]|[12]\s?\d|3\s?[01])${BETWEEN}[0-8](?:\s?[\d*●x]){6}(?!\d)`,
  // +82-10-1234-5678, (010) 1234 5678, 02/123/4567
  String.raw`(?:(?:\+|${START}0\s?0)\s?8\s?2${BETWEEN}(?:\(?0\)?${BETWEEN})?|${START}0\s?)${AREA}${BETWEEN}${digits('2,3')}${BETWEEN}${digits('3')}(?!\d)`,
  // Student numbers: 202291140, 2022-91140
  String.raw`${START}2\s?0\s?\d\s?\d[\p{Pd}\s./_]{0,2}${digits('3,4')}(?!\d)`,
);
/** Invisible characters, which may stand between letters. */
const UNSEEN = /[\p{Cf}\p{DI}]/gu;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/u;

/** A digit of any script as one of ours: each script has its ten in a row. */
function ownDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** One spelling of what looks alike: names from a Mac come apart, and digits of an old form are wide. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .normalize('NFC')
    .replaceAll(/\p{Nd}/gu, ownDigit);

/**
 * How a name in the text may be stored: composed, decomposed or as it was sent, each without spaces, and without anything
 * but letters and digits.
 */
export const spellingsOf = (text: string): string[] => {
  const spelled = [text, plain(text), plain(text).normalize('NFD')];
  return [
    ...new Set([
      ...spelled.map((each) => each.replaceAll(/\s/g, '')),
      ...spelled.map((each) => each.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')),
    ]),
  ];
};

/**
 * A text for the access log, from which nothing can be taken away later: addresses, numbers and the given names become
 * ○○○. A name of one or two letters counts where a word begins, a longer one anywhere, whatever signs are between its
 * letters.
 */
export function maskPeople(text: string, names: readonly string[]): string {
  const masked = plain(text).replaceAll(ADDRESS, MASK).replaceAll(NUMBER, MASK);
  const longestFirst = names.map(lettersOf).toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, letters) => {
    if (letters.length === 0) return rest;
    const [start, between] = letters.length < 3 ? [START, String.raw`\s*`] : ['', BETWEEN];
    const pattern = letters.map((letter) => letter.replace(SYNTAX, '\\$&')).join(between);
    return rest.replaceAll(new RegExp(`${start}${pattern}`, 'giu'), MASK);
  }, masked);
}

/** A short name keeps its punctuation: nothing else distinguishes it. */
function lettersOf(name: string): string[] {
  const letters = Array.from(plain(name).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''));
  return letters.length < 3 ? Array.from(plain(name).replaceAll(/\s/g, '')) : letters;
}
