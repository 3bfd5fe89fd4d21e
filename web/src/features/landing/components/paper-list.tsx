import {
  MarkedTextView,
  PublicationLines,
  foreignLanguageOf,
} from '../../../components/publication-lines.tsx';
import { plainText, type Publication } from '#contract/publications';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

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
