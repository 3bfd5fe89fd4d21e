import type { Publication, PublicationKind, MarkedText } from '#contract/publications';
import { useLocale } from '../lib/locale.ts';
import { m } from '../paraglide/messages.js';
import type { Locale } from '#contract/locale';

const kindNames: Record<Exclude<PublicationKind, 'other'>, () => string> = {
  article: m.publication_article,
  inproceedings: m.publication_inproceedings,
  incollection: m.publication_incollection,
  book: m.publication_book,
  phdthesis: m.publication_phdthesis,
  mastersthesis: m.publication_mastersthesis,
  techreport: m.publication_techreport,
  patent: m.publication_patent,
  preprint: m.publication_preprint,
};

export const publicationKindName = (kind: string) =>
  Object.entries(kindNames).find(([name]) => name === kind)?.[1]() ?? kind;

/** The authors, with the lab's members emphasised, and the venue. */
export function PublicationLines({ publication }: { publication: Omit<Publication, 'abstract'> }) {
  const locale = useLocale();
  const { authors, venue, kind, year, award } = publication;
  return (
    <>
      <p lang={foreignLanguageOf(authors.map(({ name }) => name).join(), locale)} className="text-ink-soft">
        {authors.map(({ name, person }, place) => (
          // A name can occur twice, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={place}>
            {place > 0 && ', '}
            {person ? <strong className="font-semibold text-ink">{name}</strong> : name}
          </span>
        ))}
      </p>
      <p className="text-ink-soft">
        {kind !== 'other' && <span className="mr-2 text-sm text-accent">{kindNames[kind]()}</span>}
        {venue !== '' && (
          <cite lang={foreignLanguageOf(venue, locale)} className="not-italic">
            {venue}
          </cite>
        )}
        {venue !== '' && ', '}
        {year}
      </p>
      {award !== undefined && (
        <p
          lang={foreignLanguageOf(award, locale)}
          className="mt-1 w-fit rounded-sm bg-notice-wash px-2 text-sm font-semibold text-notice"
        >
          {award}
        </p>
      )}
    </>
  );
}

/** Text with markup such as italics and subscripts. */
export function MarkedTextView({ text }: { text: MarkedText }) {
  if (typeof text === 'string') return <span>{text}</span>;
  const parts = text.map((part, place) => {
    if (typeof part === 'string') return part;
    const { tag: Tag, content } = part;
    return (
      // The parts of a text never change places.
      // oxlint-disable-next-line react/no-array-index-key
      <Tag key={place}>
        <MarkedTextView text={content} />
      </Tag>
    );
  });
  return <>{parts}</>;
}

/** Value of the `lang` attribute: undefined where the text is in the page's language. */
export function foreignLanguageOf(text: string, page: Locale): Locale | undefined {
  const language = /\p{Script=Hangul}/u.test(text) ? 'ko' : 'en';
  return language === page ? undefined : language;
}
