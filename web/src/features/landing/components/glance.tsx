import { abouts, news } from 'virtual:lab-content';
import { publicPeople } from 'virtual:public-people';
import type { ReactNode } from 'react';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { FEEDS } from '../feeds.ts';
import { NewsList } from './news-list.tsx';
import { Photograph } from './photograph.tsx';

export const NEWS_ON_FIRST_SCREEN = 3;

/** A result, a person and the news, side by side under the plant's line. */
export function Glance() {
  const locale = useLocale();
  const { result } = abouts[locale];
  const professor = publicPeople[locale].professors?.[0];
  if (!result && !professor?.photograph && news.length === 0) return null;
  return (
    <div className="grid gap-x-12 gap-y-7 pt-6 pb-8 max-lg:order-2 md:grid-cols-2 lg:grid-cols-[minmax(0,14rem)_minmax(0,17rem)_minmax(0,1fr)]">
      {result && (
        <Fact label={m.glance_result()}>
          <p className="text-heading leading-tight font-bold text-accent tabular-nums">{result.figure}</p>
          <p className="mt-1 text-sm">{result.text}</p>
          <p className="mt-1 text-sm text-ink-soft">
            {result.link === undefined ? (
              result.source
            ) : (
              <a href={result.link} className="text-link">
                {result.source}
              </a>
            )}
          </p>
        </Fact>
      )}
      {professor?.photograph && (
        <Fact label={m.glance_person()}>
          <a href="#people" className="group flex gap-4">
            <Photograph
              file={professor.photograph.file}
              // The name stands beside it.
              alt=""
              sizes="4.5rem"
              isEarly
              className="size-18 rounded-full"
            />
            <span className="min-w-0 self-center">
              <span className="block font-semibold group-hover:text-accent">
                {professor.name} <span className="font-normal text-ink-soft">{professor.position}</span>
              </span>
              <span className="block text-sm text-ink-soft">
                {professor.interests?.slice(0, 2).join(' · ')}
              </span>
            </span>
          </a>
        </Fact>
      )}
      {news.length > 0 && (
        <Fact
          label={m.news()}
          more={
            <a href={FEEDS[locale]} type="application/atom+xml" className="text-link">
              {m.news_feed()}
            </a>
          }
          className="md:col-span-2 lg:col-span-1"
        >
          <NewsList items={news.slice(0, NEWS_ON_FIRST_SCREEN)} />
        </Fact>
      )}
    </div>
  );
}

type FactProps = { label: string; more?: ReactNode; className?: string; children: ReactNode };

function Fact({ label, more, className, children }: FactProps) {
  return (
    <div className={className}>
      <div className="mb-2 flex justify-between gap-4 text-sm text-ink-soft">
        <h2>{label}</h2>
        {more}
      </div>
      {children}
    </div>
  );
}
