import type { ReceiptType } from '#contract/ledger';
import { hasText } from '../lib/images/bytes.ts';
import { NOT_A_PICTURE_TEXT, parsePicture } from '../lib/images/image.ts';

export type ReceiptFile = { type: ReceiptType; bytes: Uint8Array<ArrayBuffer> };
/** Why a file is not a valid receipt, in Korean; `isKnown` if it starts like one of the accepted types. */
type NoReceipt = { reason: string; isKnown: boolean };

const PDF_END = '%%EOF';
/** Viewers look for the end of a PDF in its last kilobyte. */
const PDF_TAIL = 1024;

/**
 * Identifies a receipt by its content alone. Images lose their metadata; a PDF is stored unchanged because it
 * is never displayed inside the site.
 */
export function parseReceipt(bytes: Uint8Array<ArrayBuffer>): ReceiptFile | NoReceipt {
  if (hasText(bytes, 0, '%PDF-')) {
    return isWholePdf(bytes)
      ? { type: 'application/pdf', bytes }
      : { reason: '손상된 PDF 파일입니다', isKnown: true };
  }
  const picture = parsePicture(bytes);
  if (!('reason' in picture)) return picture;
  const { reason, isImage } = picture;
  return {
    reason: reason === NOT_A_PICTURE_TEXT ? 'JPEG, PNG, WebP, PDF 파일이 아닙니다' : reason,
    isKnown: isImage,
  };
}

function isWholePdf(bytes: Uint8Array): boolean {
  const header = new TextDecoder('latin1').decode(bytes.subarray(0, 8));
  const tail = new TextDecoder('latin1').decode(bytes.subarray(-PDF_TAIL));
  return /^%PDF-[12]\.\d$/.test(header) && tail.includes(PDF_END);
}

const endings: Record<ReceiptType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

const STEM_MAX = 100;

/**
 * The receipt's file name: the original without its folder and control characters, with the extension of its
 * actual type.
 */
export function receiptFileName(name: string, type: ReceiptType): string {
  const own = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const stem = own
    .replace(/\.[^.]*$/, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, STEM_MAX)
    // The cut may have left half of a surrogate pair.
    .replace(/\p{Cs}/gu, '');
  return `${stem || '영수증'}.${endings[type]}`;
}

/** Images may be displayed inline; a PDF can contain scripts and is always downloaded. RFC 6266, RFC 8187 */
export function receiptDisposition(name: string, type: ReceiptType): string {
  const kind = type === 'application/pdf' ? 'attachment' : 'inline';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="receipt.${endings[type]}"; filename*=UTF-8''${encoded}`;
}
