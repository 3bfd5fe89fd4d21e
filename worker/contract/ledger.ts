import { z } from 'zod';

/** Whole won at most, either way. */
export const AMOUNT_MAX = 1_000_000_000_000;

/** A day of the calendar as `YYYY-MM-DD`. */
export const dateSchema = z.iso.date('날짜를 올바르게 입력하세요');

/**
 * Body of POST /api/account. `amount` is signed: above zero a deposit, below a withdrawal. `datetime` is a day that
 * exists, at the fixed time 13:00:00, without a zone.
 */
export const ledgerEntryFormSchema = z.strictObject({
  amount: z
    .int('금액을 올바르게 입력하세요')
    .min(-AMOUNT_MAX, '금액이 너무 큽니다')
    .max(AMOUNT_MAX, '금액이 너무 큽니다')
    .refine((amount) => amount !== 0, '금액은 0보다 커야 합니다'),
  datetime: z
    .string('날짜를 올바르게 입력하세요')
    .regex(/T13:00:00$/, '날짜를 올바르게 입력하세요')
    .refine((text) => dateSchema.safeParse(text.slice(0, -'T13:00:00'.length)).success, {
      error: '날짜를 올바르게 입력하세요',
    }),
  description: z.string().max(200, '내용이 너무 깁니다').regex(/\S/, '내용을 입력하세요'),
});
export type LedgerEntryForm = z.infer<typeof ledgerEntryFormSchema>;

/** An entry as GET /api/account lists them: newest first, of one day the one that came last. */
export type LedgerEntry = LedgerEntryForm & { id: number };

/** Header `Idempotency-Key` of POST /api/account: the same key with the same body stores nothing more. */
export const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{1,128}$/);

/** What a receipt may be, by content. */
export const RECEIPT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];
