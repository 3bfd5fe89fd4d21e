import { useState } from 'react';
import { toClipboard } from '../lib/copy-text.ts';
import { useLocale } from '../lib/locale.ts';
import { m } from '../paraglide/messages.js';

type Props = { text: () => string; label: string };

/** Puts a text on the clipboard, and says whether it is there. */
export function CopyButton({ text, label }: Props) {
  useLocale();
  const [isCopied, setIsCopied] = useState<boolean>();
  const copy = async () => setIsCopied(await toClipboard(text()));
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 text-sm print:hidden">
      <button type="button" onClick={() => void copy()} className="text-link min-h-11">
        {label}
      </button>
      <output className="text-ink-soft">
        {isCopied !== undefined && (isCopied ? m.copied() : m.copy_failed())}
      </output>
    </span>
  );
}
