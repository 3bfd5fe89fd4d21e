import type { ReceiptType } from '#contract/receipts';

const endings: Record<ReceiptType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

const STEM_MAX = 100;

/**
 * The receipt's file name: the original without its folder and control characters, with the extension of its actual
 * type.
 */
export function fileNameOf(name: string, type: ReceiptType): string {
  const own = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const stem = own
    .replace(/\.[^.]*$/, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, STEM_MAX)
    // The cut may leave half of a surrogate pair.
    .replace(/\p{Cs}/gu, '');
  return `${stem || '영수증'}.${endings[type]}`;
}

/** Images may be displayed inline; a PDF can contain scripts and is always downloaded. RFC 6266, RFC 8187 */
export function dispositionOf(name: string, type: ReceiptType): string {
  const kind = type === 'application/pdf' ? 'attachment' : 'inline';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="receipt.${endings[type]}"; filename*=UTF-8''${encoded}`;
}
