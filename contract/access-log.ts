import * as z from 'zod';
import { textSchema } from './texts.ts';
import { instantSchema } from './plants.ts';

/** The actions of staff on personal data. */
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

/** Query of GET /api/access_log, which returns at most 100 rows older than `before`, newest first. */
export const accessLogQuerySchema = z.object({
  /** Part of the name, email or number of the actor or of the person whose data it was, or a request's id. */
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
export const ACCESS_LOG_PAGE_SIZE = 100;

/** The network address recorded for tasks that the system runs by itself. */
export const SYSTEM_ADDRESS = 'system';

type Person<Id> = { id: Id; name: string | null; email: string | null };

/**
 * One row of the log. For a deleted person only the id is known. The actor is null for an operator's command
 * and, with the address SYSTEM_ADDRESS, for a task that the system runs by itself.
 */
export type AccessLogEntry = {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  actor: Person<number> | null;
  address: string;
  action: LogAction;
  subject: LogSubject;
  /** Whose data it was; null for a list. The id is a user's, student's or ledger entry's number. */
  person: Person<number | string> | null;
  /** A list's filter and row count, a change's values before and after, or an export's reason. */
  detail: Record<string, unknown>;
  /** Id of the request, as in its response and in the server's log; null for a command. */
  request: string | null;
};

const MASK = '○○○';
const BETWEEN = String.raw`[^\p{L}\p{N}]{0,3}`;
/** Matches a digit and `count` more digits, with or without blanks between them. */
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
  // A resident number: the date of birth, a digit from 0 to 8, and six digits. The six digits may be masked.
  String.raw`(?<!\d)\d\s?\d\s?(?:0\s?[1-9]|1\s?[0-2])\s?(?:0\s?[1-9]|[12]\s?\d|3\s?[01])${BETWEEN}[0-8](?:\s?[\d*●x]){6}(?!\d)`,
  // +82-10-1234-5678, (010) 1234 5678, 02/123/4567
  String.raw`(?:(?:\+|${START}0\s?0)\s?8\s?2${BETWEEN}(?:\(?0\)?${BETWEEN})?|${START}0\s?)${AREA}${BETWEEN}${digits('2,3')}${BETWEEN}${digits('3')}(?!\d)`,
  // Student numbers: 202291140, 2022-91140
  String.raw`${START}2\s?0\s?\d\s?\d[\p{Pd}\s./_]{0,2}${digits('3,4')}(?!\d)`,
);
/** Invisible characters. Somebody could put them between letters to avoid the mask. */
const UNSEEN = /[\p{Cf}\p{DI}]/gu;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/u;

/** Converts a digit of any script to ASCII. Each script has its ten digits in consecutive code points. */
function ownDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

/** Unifies spellings that look equal: macOS sends decomposed letters, and digits may be full-width. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .normalize('NFC')
    .replaceAll(/\p{Nd}/gu, ownDigit);

/**
 * The spellings in which a name may be stored: composed (NFC), decomposed (NFD) or as it was sent. Each
 * spelling also without spaces, and with nothing but its letters and digits.
 */
export const nameSpellings = (text: string): string[] => {
  const spelled = [text, plain(text), plain(text).normalize('NFD')];
  return [
    ...new Set([
      ...spelled.map((each) => each.replaceAll(/\s/g, '')),
      ...spelled.map((each) => each.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')),
    ]),
  ];
};

/**
 * Masks a text for the access log, whose entries can never be corrected: addresses, numbers and the `names`
 * become ○○○. A name of one or two letters is masked where a word begins; a longer name is masked anywhere,
 * also with other signs between its letters.
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

/** The letters to search for. A short name keeps its punctuation: the letters alone match many words. */
function lettersOf(name: string): string[] {
  const letters = Array.from(plain(name).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''));
  return letters.length < 3 ? Array.from(plain(name).replaceAll(/\s/g, '')) : letters;
}
