import type { ReactNode } from 'react';
import { paperKeysIn } from '#contract/public-content';
import type { Publication } from '#contract/publications';
import { FEEDS } from '../../feeds/news-feed.ts';
import { groupBy } from '../../lib/collections.ts';
import { Photograph } from '../../components/photograph.tsx';
import { useLab } from '../../lib/lab-content.ts';
import { localizedPathIfAny, useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { loadPublishedContent } from '../../lib/published.ts';
import { m } from '../../paraglide/messages.js';
// Separate imports would make a separate chunk of each part.
import { QuestionAnswerList, NewsList, PaperList } from './components/prerendered-parts.tsx';
import { setShownContent, usePublicContent } from './content.ts';

/* The pages of all news and of each project. The main page shows only a part of this content. */

export async function loadSubPageContent(): Promise<void> {
  const news = await loadPublishedContent();
  if (news) setShownContent(news.content);
}

function SubPage({ above, title, children }: { above?: string; title: string; children: ReactNode }) {
  const lab = useLab();
  usePageTitle(title);
  return (
    <div className="page-column pt-10 pb-8 print:pt-0">
      <p className="font-semibold text-accent">{above ?? `${lab.name}, ${lab.affiliation}`}</p>
      <h1 className="mt-1 text-heading font-bold">{title}</h1>
      {children}
    </div>
  );
}

export function NewsScreen() {
  const locale = useLocale();
  const { news } = usePublicContent();
  const years = groupBy(news, ({ date }) => date.slice(0, 4));
  return (
    <SubPage title={m.news()}>
      <p className="mt-2">
        <a href={FEEDS[locale]} type="application/atom+xml" className="text-link">
          {m.news_feed()}
        </a>
      </p>
      {[...years].map(([year, items]) => (
        <section
          key={year}
          aria-labelledby={`year-${year}`}
          className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-4 border-t border-line pt-6 md:grid-cols-[minmax(0,1fr)_minmax(0,4fr)]"
        >
          <h2 id={`year-${year}`} className="text-heading leading-snug font-bold tabular-nums">
            {year}
          </h2>
          <NewsList items={items} isPage />
        </section>
      ))}
    </SubPage>
  );
}

type Project = ReturnType<typeof usePublicContent>['projects'][number];

/** The project at an address; undefined if there is none. */
export function useProject(name: string): Project | undefined {
  return usePublicContent().projects.find(({ path }) => path === `/projects/${name}`);
}

/** @param all all publications of the laboratory */
export function ProjectScreen({ project, all }: { project: Project; all: readonly Publication[] }) {
  const locale = useLocale();
  const { name, years, funder, text, link, code, data, people, photograph } = project;
  const papers = paperKeysIn(project.papers).flatMap((key) => all.find((each) => each.key === key) ?? []);
  const addresses = [
    [m.publication_link(), link],
    [m.publication_code(), code],
    [m.project_data(), data],
  ].filter(([, address]) => address !== '');
  const answers = people.length === 0 ? [] : [{ question: m.project_people(), answer: people.join(', ') }];
  return (
    <SubPage above={`${m.project()} · ${years}, ${funder}`} title={name}>
      <p className="mt-4 max-w-[44rem] text-lead text-ink-soft">{text}</p>
      <QuestionAnswerList answers={answers} className="mt-6 sm:grid-cols-[6rem_minmax(0,1fr)]" />
      <p className="mt-2 flex flex-wrap gap-x-5 print:hidden">
        {addresses.map(([kind, address = '']) => (
          <a
            key={kind}
            href={localizedPathIfAny(locale, address) || address}
            className="text-link inline-flex min-h-11 items-center"
          >
            {kind}
          </a>
        ))}
      </p>
      {photograph && (
        <Photograph
          {...photograph}
          sizes="(min-width: 48rem) 44rem, 90vw"
          isEarly
          className="mt-4 h-auto w-full max-w-[44rem] rounded-lg"
        />
      )}
      {papers.length > 0 && (
        <>
          <h2 className="mt-12 text-xl font-bold">{m.publications()}</h2>
          <PaperList papers={papers} heading="h3" />
        </>
      )}
    </SubPage>
  );
}
