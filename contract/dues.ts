import * as z from 'zod';
import { AMOUNT_MAX } from './ledger.ts';
import { courseKeyQuerySchema, reasonSchema } from './students.ts';
import { nameSchema } from './texts.ts';

/** `{year}/{semester}` of /api/account/dues: semester 1 or 2. */
export const duesTermSchema = courseKeyQuerySchema.omit({ subject: true });

/**
 * One person who owes a semester's dues, as listed by GET /api/account/dues/{year}/{semester}: the lab's users first,
 * then typed names.
 */
export type Due = {
  /** NULL for a user who has never paid for this semester. */
  id: number | null;
  /** NULL for a typed name. */
  user_id: number | null;
  name: string;
  /** The deposit that paid; NULL while unpaid. */
  entry_id: number | null;
  /** How much of that deposit, in won; NULL for the whole of it. */
  amount: number | null;
};

/** Dues, of any semester, paid by an entry: by `amount` of it, or by the whole of it. */
export type Payment = {
  due_id: number;
  entry_id: number;
  amount: number | null;
  year: number;
  semester: number;
  name: string;
};

/** Response of GET, POST and PUT /api/account/dues/{year}/{semester}. */
export type DuesList = {
  dues: Due[];
  /**
   * For all semesters. A deposit pays dues up to its amount; data older than that rule may use the whole of one twice.
   */
  payments: Payment[];
};

/** Body of POST: names of people who are not users. Names already in the semester are skipped. */
export const dueNamesSchema = z.object({
  names: z.array(nameSchema(50, '이름은 50자까지 쓸 수 있습니다')).min(1).max(200),
});

const rowId = z.int().positive();

const share = z.int().min(1).max(AMOUNT_MAX).optional();

/**
 * Body of PUT: the entry with which a user or a typed name paid, and how much of it, without `amount` the whole; null
 * withdraws the payment.
 */
const paymentSchema = z.union([
  z.object({ user_id: rowId, entry_id: rowId.nullable(), amount: share }),
  z.object({ id: rowId, entry_id: rowId.nullable(), amount: share }),
]);
export type DuePayment = z.infer<typeof paymentSchema>;

const PAYMENTS_MAX = 200;

/** Body of PUT …/payments: all of them are recorded, or none. */
export const paymentsSchema = z.object({
  payments: z
    .array(z.xor([...paymentSchema.options]))
    .min(1)
    .max(PAYMENTS_MAX)
    .refine(
      (payments) => new Set(payments.map(payerKey)).size === payments.length,
      '같은 사람이 두 번 있습니다',
    ),
});

const payerKey = (payment: DuePayment) =>
  'user_id' in payment ? `user-${payment.user_id}` : `name-${payment.id}`;

/** Body of PUT: assigns a typed name's row to the user of the same name. */
const joinSchema = z.object({ id: rowId, user_id: rowId });
export type DueJoin = z.infer<typeof joinSchema>;

/** Exactly one of the three; an ambiguous body is rejected. */
export const dueChangeSchema = z.xor([...paymentSchema.options, joinSchema]);

/** Body of POST …/exports, which only logs that the list was exported. */
export const duesExportSchema = z.object({
  reason: reasonSchema,
  printed: z.boolean().default(false),
});
export type DuesExportForm = z.output<typeof duesExportSchema>;
