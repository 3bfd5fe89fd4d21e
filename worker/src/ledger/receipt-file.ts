import type { ReceiptType } from '#contract/receipts';
import { hasText } from '../lib/images/bytes.ts';
import { NO_PICTURE, pictureOf } from '../lib/images/image.ts';

export type ReceiptFile = { type: ReceiptType; bytes: Uint8Array<ArrayBuffer> };
/** Why a file is not a valid receipt, in Korean; `isKnown` when it starts like one of the accepted types. */
type NoReceipt = { reason: string; isKnown: boolean };

const PDF_END = '%%EOF';
/** Viewers look for the end of a PDF in its last kilobyte. */
const PDF_TAIL = 1024;

/**
 * Identifies a receipt by its content alone. Images are stripped of metadata; a PDF is kept unchanged because it is
 * never displayed inside the site.
 */
export function receiptOf(bytes: Uint8Array<ArrayBuffer>): ReceiptFile | NoReceipt {
  if (hasText(bytes, 0, '%PDF-')) {
    return isWholePdf(bytes)
      ? { type: 'application/pdf', bytes }
      : { reason: '손상된 PDF 파일입니다', isKnown: true };
  }
  const picture = pictureOf(bytes);
  if (!('reason' in picture)) return picture;
  const { reason, isImage } = picture;
  return {
    reason: reason === NO_PICTURE ? 'JPEG, PNG, WebP, PDF 파일이 아닙니다' : reason,
    isKnown: isImage,
  };
}

function isWholePdf(bytes: Uint8Array): boolean {
  const header = new TextDecoder('latin1').decode(bytes.subarray(0, 8));
  const tail = new TextDecoder('latin1').decode(bytes.subarray(-PDF_TAIL));
  return /^%PDF-[12]\.\d$/.test(header) && tail.includes(PDF_END);
}
