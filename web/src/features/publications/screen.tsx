import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLab } from '../../lib/lab-content.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import type { Publication } from '#contract/publications';
import { groupBy } from '../../lib/collections.ts';
import { m } from '../../paraglide/messages.js';
import { Filter, matchingPublications, usePublicationFilter } from './components/filter.tsx';
import { PublicationEntry } from './components/publication-entry.tsx';
import { BIBTEX_FILE, bibtexQuery, shownPublications } from './queries.ts';

export function PublicationsScreen() {
  const lab = useLab();
  const all = shownPublications();
  const { wanted, set } = usePublicationFilter();
  const publications = matchingPublications(all, wanted);
  const years = byYear(publications);
  const client = useQueryClient();
  usePageTitle(m.publications());
  // The BibTeX is prefetched, because some browsers allow writing to the clipboard only right after a click.
  useEffect(() => void client.prefetchQuery(bibtexQuery), [client]);
  return (
    <div className="page-column pt-10 pb-20 print:pt-0">
      <p className="font-semibold text-accent">
        {lab.name}, {lab.affiliation}
      </p>
      <h1 className="mt-1 text-heading font-bold">{m.publications()}</h1>
      <p className="mt-2 text-ink-soft">
        {m.publications_lead({ count: all.length })}{' '}
        <a href={BIBTEX_FILE} download className="text-link print:hidden">
          {m.publications_file()}
        </a>
      </p>
      <Filter publications={all} found={publications.length} wanted={wanted} set={set} />
      {years.map(({ year, publications }) => (
        <Year key={year} year={year} publications={publications} />
      ))}
    </div>
  );
}

function Year({ year, publications }: { year: number; publications: Publication[] }) {
  return (
    <section
      aria-labelledby={`year-${year}`}
      className="mt-8 grid first-of-type:mt-0 grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 border-t border-line pt-6 print:block lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <h2
        id={`year-${year}`}
        className="self-start text-heading leading-snug font-bold tabular-nums lg:sticky lg:top-[calc(var(--bar-height)+1.5rem)]"
      >
        {year}
      </h2>
      <ul>
        {publications.map((publication) => (
          <PublicationEntry key={publication.key} publication={publication} />
        ))}
      </ul>
    </section>
  );
}

/** Groups the publications by year, newest first. */
function byYear(publications: readonly Publication[]): { year: number; publications: Publication[] }[] {
  return [...groupBy(publications, ({ year }) => year)]
    .map(([year, publications]) => ({ year, publications }))
    .sort((one, other) => other.year - one.year);
}
