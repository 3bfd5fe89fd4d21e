import { plainText, type Publication } from '#contract/publications';
import { usePublicContent } from '../content.ts';
import { localizedPathIfAny, useLocale } from '../../../lib/locale.ts';
import { dayText } from '../days.ts';
import {
  MarkedTextView,
  PublicationLines,
  foreignLanguageOf,
} from '../../../components/publication-lines.tsx';
import { m } from '../../../paraglide/messages.js';
import { Photograph } from '../../../components/photograph.tsx';

type Answer = { question: string; answer: string };

export function QuestionAnswerList({ answers, className }: { answers: Answer[]; className: string }) {
  if (answers.length === 0) return null;
  return (
    <dl className={`grid gap-x-8 gap-y-2 ${className}`}>
      {answers.map(({ question, answer }) => (
        <div key={question} className="contents">
          <dt className="text-ink-soft">{question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Directions() {
  const answers = usePublicContent().ways.map(({ by, text }) => ({ question: by, answer: text }));
  return <QuestionAnswerList answers={answers} className="mt-8 sm:grid-cols-[6rem_minmax(0,1fr)]" />;
}

type News = ReturnType<typeof usePublicContent>['news'];

export function NewsList({ items, isPage = false }: { items: News; isPage?: boolean }) {
  const locale = useLocale();
  return (
    <ul className={isPage ? 'text-lg' : 'space-y-1.5 text-sm'}>
      {items.map(({ date, text, link }) => (
        <li
          key={date + text}
          className={`grid ${isPage ? 'border-b border-line py-5' : 'grid-cols-[6.25rem_minmax(0,1fr)]'}`}
        >
          <time dateTime={date} className={`text-ink-soft tabular-nums ${isPage ? 'text-sm' : ''}`}>
            {dayText(date, locale)}
          </time>
          {link === '' ? (
            text
          ) : (
            <a
              href={localizedPathIfAny(locale, link) || link}
              className="underline decoration-line-strong underline-offset-4 hover:text-accent"
            >
              {text}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

const linksOf = ({ doi, pdf, code }: Publication) =>
  [
    ['DOI', doi && `https://doi.org/${doi}`] as const,
    ['PDF', pdf] as const,
    [m.publication_code(), code] as const,
  ].filter(([, address]) => address !== undefined);

type Props = { papers: readonly Publication[]; heading: 'h3' | 'h4' };

export function PaperList({ papers, heading: Heading }: Props) {
  const locale = useLocale();
  return (
    <ul className="mt-5 border-b border-line">
      {papers.map((publication) => (
        <li key={publication.key} className="border-t border-line py-5">
          <Heading
            id={`selected-${publication.key}`}
            lang={foreignLanguageOf(plainText(publication.title), locale)}
            className="text-lg/snug font-semibold text-pretty"
          >
            <MarkedTextView text={publication.title} />
          </Heading>
          <div className="mt-1.5">
            <PublicationLines publication={publication} />
          </div>
          <p className="flex flex-wrap gap-x-5 text-sm print:hidden">
            {linksOf(publication).map(([name, address]) => (
              <a
                key={name}
                href={address}
                aria-describedby={`selected-${publication.key}`}
                className="text-link inline-flex min-h-8 items-center"
              >
                {name}
              </a>
            ))}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Photographs with captions, in two columns where there is room. */
export function Photographs({ photographs }: Pick<ReturnType<typeof usePublicContent>, 'photographs'>) {
  if (photographs.length === 0) return null;
  return (
    <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2">
      {photographs.map(({ file, alt, caption }) => (
        <li key={file}>
          <figure>
            <Photograph
              file={file}
              alt={alt}
              sizes="(min-width: 64rem) 33rem, (min-width: 40rem) 45vw, 90vw"
              className="h-auto w-full rounded-lg"
            />
            <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
