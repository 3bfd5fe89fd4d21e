import * as z from 'zod';
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
  | 'bridge';

/** Query of GET /api/access_log: newest first, at most 100 rows, older than the entry `before`. */
export const accessLogQuerySchema = z.object({
  /** Part of the name, email or number of the actor or the person concerned, or the id of the request. */
  person: z.string().min(1).max(100).optional(),
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
const ADDRESS = /[^\s@<>()]+@[^\s@<>()]+\.[\p{L}\p{N}-]+/gu;
/** Student numbers and telephone numbers, with or without dashes. */
const NUMBER = /(?<![\p{L}\p{N}])(?:20\d{6,7}|0\d{1,2}[\p{Pd} .]?\d{3,4}[\p{Pd} .]?\d{4})(?!\d)/gu;
/** What is not seen, wherever it stands between letters. */
const UNSEEN = /[\p{Cf}\p{DI}]/gu;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/u;
const BEFORE_SHORT = '(?<![\\p{L}\\p{N}])';

/** One spelling of what looks alike: names from a Mac come apart, and digits from an old form are wide. */
const plain = (text: string) => text.normalize('NFKC').replaceAll(UNSEEN, '').normalize('NFC');

/** How a name in the text may be stored: composed, decomposed or as it was sent, each without spaces. */
export const spellingsOf = (text: string): string[] => {
  const tight = [text, plain(text), plain(text).normalize('NFD')].map((each) => each.replaceAll(/\s/g, ''));
  return [...new Set(tight)];
};

/**
 * A text for the access log, from which nothing can be taken away later: addresses, numbers and the given names become
 * ○○○. A name of one or two letters counts where a word begins, a longer one anywhere, whatever spaces are in it.
 */
export function maskPeople(text: string, names: readonly string[]): string {
  const masked = plain(text).replaceAll(ADDRESS, MASK).replaceAll(NUMBER, MASK);
  const longestFirst = names.map(lettersOf).toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, letters) => {
    if (letters.length === 0) return rest;
    const pattern = letters.map((letter) => letter.replace(SYNTAX, '\\$&')).join('\\s*');
    return rest.replaceAll(new RegExp(`${letters.length < 3 ? BEFORE_SHORT : ''}${pattern}`, 'giu'), MASK);
  }, masked);
}

const lettersOf = (name: string) => Array.from(plain(name).replaceAll(/\s/g, ''));
