import type { ReceiptType } from '#contract/receipts';

const endings: Record<ReceiptType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

const STEM_MAX = 100;

/** What a receipt is called: the file's own name without folder and control characters, with the ending of its content. */
export function fileNameOf(name: string, type: ReceiptType): string {
  const own = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const stem = own
    .replace(/\.[^.]*$/, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, STEM_MAX)
    // Half of a character, where the cut went through it.
    .replace(/\p{Cs}/gu, '');
  return `${stem || '영수증'}.${endings[type]}`;
}

/** A picture may be shown where it is; a PDF, which can hold scripts, is only ever saved. RFC 6266, RFC 8187 */
export function dispositionOf(name: string, type: ReceiptType): string {
  const kind = type === 'application/pdf' ? 'attachment' : 'inline';
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="receipt.${endings[type]}"; filename*=UTF-8''${encoded}`;
}
