/** Accepted types, detected from the content. */
export const RECEIPT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type ReceiptType = (typeof RECEIPT_TYPES)[number];

export const RECEIPT_BYTES = 10 * 1024 * 1024;
export const RECEIPTS_PER_ENTRY = 5;

/** A receipt as listed by GET /api/account/receipts. POST /api/account/{id}/receipts takes one file, as `receipt`. */
export type Receipt = {
  /** 32 hexadecimal digits; GET /api/account/receipts/{id} returns the file. */
  id: string;
  entry_id: number;
  /** The file's original name. */
  name: string;
  type: ReceiptType;
  /** Bytes. */
  size: number;
};
