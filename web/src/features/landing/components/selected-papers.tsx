import { Link } from '@tanstack/react-router';
import { publicationCount, selectedPapers } from 'virtual:selected-papers';
import { Marked } from '../../../components/papers/marked.tsx';
import { PaperLines } from '../../../components/papers/paper-lines.tsx';
import { languageOf } from '../../../components/papers/text-language.ts';
import { useLocale } from '../../../lib/locale.ts';
import { plainText } from '../../../lib/publication.ts';
import { m } from '../../../paraglide/messages.js';

/** A choice of the lab's publications, and the way to all of them. */
export function SelectedPapers() {
  const locale = useLocale();
  if (publicationCount === 0) return null;
  return (
    <>
      <h3 className="mt-16 text-xl font-bold">
        {selectedPapers.length > 0 ? m.papers_selected() : m.publications()}
      </h3>
      <ul className="mt-5 border-b border-line">
        {selectedPapers.map((paper) => (
          <li key={paper.key} className="border-t border-line py-5">
            <h4
              lang={languageOf(plainText(paper.title), locale)}
              className="text-lg/snug font-semibold text-pretty"
            >
              {paper.doi === undefined ? (
                <Marked text={paper.title} />
              ) : (
                <a href={`https://doi.org/${paper.doi}`} className="hover:text-accent hover:underline">
                  <Marked text={paper.title} />
                </a>
              )}
            </h4>
            <div className="mt-1.5">
              <PaperLines paper={paper} />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-4">
        <Link
          to="/{-$locale}/publications"
          params={{ locale: locale === 'en' ? 'en' : undefined }}
          className="text-link inline-flex min-h-11 items-center font-semibold"
        >
          {m.papers_all({ count: publicationCount })}
        </Link>
      </p>
    </>
  );
}
