import { type ReactNode, useState } from 'react';
import {
  MarkedTextView,
  PublicationLines,
  foreignLanguageOf,
} from '../../../components/publication-lines.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { paperElementId, plainText, type Publication } from '#contract/publications';
import { m } from '../../../paraglide/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { copyToClipboard } from '../../../lib/copy-text.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { bibtexQuery } from '../queries.ts';

export function PublicationEntry({ publication }: { publication: Publication }) {
  const locale = useLocale();
  const { key, title, doi, url, pdf, code, preprints = [], abstract } = publication;
  const titleId = paperElementId(key);
  return (
    <li className="border-t border-line py-5 first:border-t-0 first:pt-0 break-inside-avoid">
      <h3
        id={titleId}
        lang={foreignLanguageOf(plainText(title), locale)}
        className="text-lg/snug font-semibold text-pretty"
      >
        <MarkedTextView text={title} />
      </h3>
      <div className="mt-1.5">
        <PublicationLines publication={publication} />
      </div>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-5 text-sm">
        {doi !== undefined && <PublicationLink href={`https://doi.org/${doi}`}>DOI {doi}</PublicationLink>}
        {url !== undefined && (
          <PublicationLink href={url} titleId={titleId}>
            {m.publication_link()}
          </PublicationLink>
        )}
        {pdf !== undefined && (
          <PublicationLink href={pdf} titleId={titleId} isForScreen>
            PDF
          </PublicationLink>
        )}
        {code !== undefined && (
          <PublicationLink href={code} titleId={titleId} isForScreen>
            {m.publication_code()}
          </PublicationLink>
        )}
        {preprints.map((address) => (
          <PublicationLink key={address} href={address} titleId={titleId} isForScreen>
            {m.publication_preprint()}
          </PublicationLink>
        ))}
        <CopyButton
          titleId={titleId}
          label={m.citation_copy()}
          textOf={async () => citationOf(publication)}
        />
        <CopyBibtex publicationKey={key} titleId={titleId} />
        {abstract !== undefined && (
          <details className="open:basis-full print:not-open:hidden">
            <summary aria-describedby={titleId} className="w-fit cursor-pointer py-1 hover:text-accent">
              {m.publication_abstract()}
            </summary>
            <p
              lang={foreignLanguageOf(plainText(abstract), locale)}
              className="max-w-[44rem] text-base text-ink-soft"
            >
              <MarkedTextView text={abstract} />
            </p>
          </details>
        )}
      </div>
    </li>
  );
}

/** `Seojun Yoon, Aino Ojala (2026). Title. Venue. https://doi.org/…` */
function citationOf({ authors, year, title, venue, doi, url }: Publication): string {
  const names = authors.map(({ name }) => name).join(', ');
  const address = doi === undefined ? (url ?? '') : `https://doi.org/${doi}`;
  const parts = [`${names} (${year})`, plainText(title), venue].filter((part) => part !== '');
  return `${parts.join('. ')}. ${address}`.trim();
}

type LinkProps = {
  href: string;
  children: ReactNode;
  /** Id of the element with the publication's title, if the link's text does not contain the title. */
  titleId?: string;
  /** Hidden in print. */
  isForScreen?: true;
};

function PublicationLink({ href, children, titleId, isForScreen }: LinkProps) {
  return (
    <a
      href={href}
      aria-describedby={titleId}
      className={`text-link inline-flex min-h-8 items-center wrap-anywhere ${isForScreen ? 'print:hidden' : ''}`}
    >
      {children}
    </a>
  );
}

type Props = {
  publicationKey: string;
  /** Id of the element with the publication's title. */
  titleId: string;
};

function CopyBibtex({ publicationKey, titleId }: Props) {
  const client = useQueryClient();
  const textOf = async () => {
    const entries = await client.fetchQuery(bibtexQuery).catch(() => undefined);
    return entries?.get(publicationKey);
  };
  return <CopyButton titleId={titleId} label={m.bibtex_copy()} textOf={textOf} />;
}

type CopyProps = { titleId: string; label: string; textOf: () => Promise<string | undefined> };

/** Copies a text. If the browser refuses, selects the text below, so that the user can copy it. */
function CopyButton({ titleId, label, textOf }: CopyProps) {
  useLocale();
  const [refused, setRefused] = useState<string>();
  const copy = async () => {
    const text = await textOf();
    if (text === undefined) {
      showToast(m.bibtex_failed());
      return;
    }
    const isCopied = await copyToClipboard(text);
    setRefused(isCopied ? undefined : text);
    showToast(isCopied ? m.copied() : m.bibtex_refused());
  };
  return (
    <>
      <button
        type="button"
        aria-describedby={titleId}
        onClick={() => void copy()}
        className="min-h-8 rounded-sm font-semibold text-accent underline decoration-dotted underline-offset-4 hover:text-accent-strong hover:decoration-solid noscript:hidden print:hidden"
      >
        {label}
      </button>
      {refused !== undefined && (
        <textarea
          readOnly
          // The focus lets the user copy the text at once.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-label={label}
          value={refused}
          rows={refused.split('\n').length}
          onFocus={(event) => event.currentTarget.select()}
          className="block w-full basis-full overflow-x-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm whitespace-pre"
        />
      )}
    </>
  );
}
