import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toClipboard } from '../../../lib/copy-text.ts';
import { useLocale } from '../../../lib/locale.ts';
import { showToast } from '../../../lib/toast.ts';
import { m } from '../../../paraglide/messages.js';
import { bibtexQuery } from '../queries.ts';

type Props = {
  paperKey: string;
  /** Id of the element that names the paper. */
  titleId: string;
};

/** Copies an entry. Where the browser refuses, the entry stands below, selected, to be copied by hand. */
export function CopyBibtex({ paperKey, titleId }: Props) {
  useLocale();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string>();
  const copy = async () => {
    const entries = await client.fetchQuery(bibtexQuery).catch(() => undefined);
    const entry = entries?.get(paperKey);
    if (entry === undefined) {
      showToast(m.bibtex_failed());
      return;
    }
    const isCopied = await toClipboard(entry);
    setRefused(isCopied ? undefined : entry);
    showToast(isCopied ? m.bibtex_copied() : m.bibtex_refused());
  };
  return (
    <>
      <button
        type="button"
        aria-describedby={titleId}
        onClick={() => void copy()}
        className="min-h-8 rounded-sm font-semibold text-accent underline decoration-dotted underline-offset-4 hover:text-accent-strong hover:decoration-solid noscript:hidden print:hidden"
      >
        {m.bibtex_copy()}
      </button>
      {refused !== undefined && (
        <textarea
          readOnly
          // What one asked for stands here instead of on the clipboard.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label="BibTeX"
          value={refused}
          rows={refused.split('\n').length}
          onFocus={(event) => event.currentTarget.select()}
          className="block w-full basis-full overflow-x-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm whitespace-pre"
        />
      )}
    </>
  );
}
