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

/** Who wrote it, the lab's own people set apart, and where it appeared. */
export function PublicationLines({ publication }: { publication: Omit<Publication, 'abstract'> }) {
  const locale = useLocale();
  const { authors, venue, kind, year } = publication;
  return (
    <>
      <p lang={languageOf(authors.map(({ name }) => name).join(), locale)} className="text-ink-soft">
        {authors.map(({ name, isOurs }, place) => (
          // A name can be there twice.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={place}>
            {place > 0 && ', '}
            {isOurs ? <strong className="font-semibold text-ink">{name}</strong> : name}
          </span>
        ))}
      </p>
      <p className="text-ink-soft">
        {kind !== 'other' && <span className="mr-2 text-sm text-accent">{kindNames[kind]()}</span>}
        {venue !== '' && (
          <cite lang={languageOf(venue, locale)} className="not-italic">
            {venue}
          </cite>
        )}
        {venue !== '' && ', '}
        {year}
      </p>
    </>
  );
}

/** Text with its italics, subscripts and the like. */
export function Marked({ text }: { text: MarkedText }) {
  if (typeof text === 'string') return <span>{text}</span>;
  const parts = text.map((part, place) => {
    if (typeof part === 'string') return part;
    const { tag: Tag, content } = part;
    return (
      // The parts of a text never change places.
      // oxlint-disable-next-line react/no-array-index-key
      <Tag key={place}>
        <Marked text={content} />
      </Tag>
    );
  });
  return <>{parts}</>;
}

/** For the attribute `lang`: undefined where the text is in the language of the page. */
export function languageOf(text: string, page: Locale): Locale | undefined {
  const language = /\p{Script=Hangul}/u.test(text) ? 'ko' : 'en';
  return language === page ? undefined : language;
}
