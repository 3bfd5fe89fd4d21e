import * as z from 'zod';
import { instantSchema } from './plants.ts';

/** What staff did to personal data. */
export const logActionSchema = z.literal(['read', 'create', 'change', 'delete', 'export']);
export type LogAction = z.infer<typeof logActionSchema>;

/** Whose data it was about, or which entry of the ledger. */
export type LogSubject =
  'user' | 'access_log' | 'student' | 'enrolment' | 'picture' | 'ledger_entry' | 'receipt' | 'due' | 'plant';

/** Query of GET /api/access_log: newest first, at most 100, older than the entry `before`. */
export const accessLogQuerySchema = z.object({
  /** Part of the name, email or number of who did it or whom it was done to, or the id of the request. */
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

/** From where the system's own tasks act. */
export const SYSTEM_ADDRESS = 'system';

type Person<Id> = { id: Id; name: string | null; email: string | null };

/**
 * One row of the log. Who was deleted since is known by id alone; an actor of null is the operator's own command or,
 * with the address SYSTEM_ADDRESS, a task of the system's own.
 */
export type AccessLogEntry = {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  actor: Person<number> | null;
  address: string;
  action: LogAction;
  subject: LogSubject;
  /** Whose data; null for a list. A user has a number for id, a student the student number, an entry its number. */
  person: Person<number | string> | null;
  /** Filter and count of a list, before and after of a change, the reason of an export. */
  detail: Record<string, unknown>;
  /** Id of the request that did it, as the answer and the log name it; null for a command. */
  request: string | null;
};
