import * as z from 'zod';
import { AMOUNT_MAX } from './ledger.ts';
import { courseKeyQuerySchema, exportReasonSchema } from './students.ts';
import { nameSchema } from './texts.ts';

/** `{year}/{semester}` in paths of /api/account/dues; the semester is 1 or 2. */
export const duesTermSchema = courseKeyQuerySchema.omit({ subject: true });

/**
 * One person who owes a semester's dues, as listed by GET /api/account/dues/{year}/{semester}: the lab's
 * users first, then people without an account, entered by name.
 */
export type Due = {
  /** NULL for a user who has never paid for this semester. */
  id: number | null;
  /** NULL for a person who was entered by name. */
  user_id: number | null;
  name: string;
  /** The deposit that paid these dues; NULL while unpaid. */
  entry_id: number | null;
  /** How much of the deposit pays these dues, in won; NULL for the whole deposit. */
  amount: number | null;
};

/** Dues that an entry paid, in any semester: with `amount` of the entry, or with the whole entry. */
export type DuesPayment = {
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
  /** For all semesters. A deposit pays dues up to its amount; older data may use a whole deposit twice. */
  payments: DuesPayment[];
};

/** Body of POST: names of people who are not users. Names already in the semester are skipped. */
export const dueNamesSchema = z.object({
  names: z.array(nameSchema(50, '이름은 50자까지 쓸 수 있습니다')).min(1).max(200),
});

const rowId = z.int().positive();

const share = z.int().min(1).max(AMOUNT_MAX).optional();

/**
 * Body of PUT: the entry that pays the dues of a user, or of a person entered by name, and how much of the
 * entry. Without `amount`, the whole entry pays; a null entry withdraws the payment.
 */
const paymentSchema = z.union([
  z.object({ user_id: rowId, entry_id: rowId.nullable(), amount: share }),
  z.object({ id: rowId, entry_id: rowId.nullable(), amount: share }),
]);
export type DuesPaymentForm = z.infer<typeof paymentSchema>;

const PAYMENTS_MAX = 200;

/** Body of PUT …/payments: either all payments are recorded or none. */
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

const payerKey = (payment: DuesPaymentForm) =>
  'user_id' in payment ? `user-${payment.user_id}` : `name-${payment.id}`;

/** Body of PUT: turns the row of a person entered by name into the row of the user with the same name. */
const joinSchema = z.object({ id: rowId, user_id: rowId });
export type DuesMergeForm = z.infer<typeof joinSchema>;

/** The body must match exactly one of the three schemas; an ambiguous body is rejected. */
export const dueChangeSchema = z.xor([...paymentSchema.options, joinSchema]);

/** Body of POST …/exports, which only logs that the list was exported. */
export const duesExportSchema = z.object({
  reason: exportReasonSchema,
  printed: z.boolean().default(false),
});
export type DuesExportForm = z.output<typeof duesExportSchema>;
