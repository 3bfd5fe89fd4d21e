/** What a receipt may be, by content. */
export const RECEIPT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];

export const RECEIPT_BYTES = 10 * 1024 * 1024;
export const RECEIPTS_PER_ENTRY = 5;

/** A receipt as GET /api/account/receipts lists them. POST /api/account/{id}/receipts takes one file, as `receipt`. */
export type Receipt = {
  /** 32 hexadecimal digits; GET /api/account/receipts/{id} is the file. */
  id: string;
  entry_id: number;
  /** What the file was called. */
  name: string;
  type: ReceiptType;
  /** Bytes. */
  size: number;
};
