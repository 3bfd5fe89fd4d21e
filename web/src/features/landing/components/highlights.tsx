import { hardwareDrawing } from 'virtual:lab-content';
import { useState, type ReactNode } from 'react';
import { useLocale, localizedPathIfAny } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { FEEDS } from '../../../feeds/news-feed.ts';
import { Photograph } from '../../../components/photograph.tsx';
import { usePublicContent } from '../content.ts';
import { daysAgoText } from '../days.ts';
import { NewsList } from './lists.tsx';
import { Link } from '@tanstack/react-router';

const NEWS_ON_FIRST_SCREEN = 3;

/** A research result, a person and the news, side by side below the plant's curve. */
export function Highlights() {
  const locale = useLocale();
  const [now] = useState(() => Date.now());
  const { about, people, news } = usePublicContent();
  const { result } = about;
  const professor = people.professors?.[0];
  if (!result && !professor?.photograph && news.length === 0) return null;
  return (
    <div className="grid gap-x-12 gap-y-7 pt-6 pb-8 md:grid-cols-2 lg:grid-cols-[minmax(0,14rem)_minmax(0,17rem)_minmax(0,1fr)]">
      {result && (
        <Fact label={m.glance_result()}>
          <p className="text-heading leading-tight font-bold text-accent tabular-nums">
            {result.since === '' ? (
              result.figure
            ) : (
              // The edge updates this number with each response (web/functions/main-page.ts).
              <time dateTime={result.since} data-days suppressHydrationWarning>
                {daysAgoText(result.since, locale, now)}
              </time>
            )}
          </p>
          <p className="mt-1 text-sm">{result.text}</p>
          <p className="mt-1 text-sm text-ink-soft">
            {result.link === '' ? (
              result.source
            ) : (
              <a href={localizedPathIfAny(locale, result.link) || result.link} className="text-link">
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
              // Empty, because the person's name is beside the picture.
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
          {news.length > NEWS_ON_FIRST_SCREEN && (
            <Link
              to="/{-$locale}/news"
              params={{ locale: locale === 'en' ? 'en' : undefined }}
              className="text-link mt-1 inline-flex min-h-8 items-center text-sm"
            >
              {m.news_all({ count: news.length })}
            </Link>
          )}
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

/** The drawing on the first screen, with a legend for its numbered parts. */
export function HardwareDrawing() {
  const { hardware } = usePublicContent().about;
  if (!hardware || hardwareDrawing === undefined) return null;
  const { alt, caption, parts } = hardware;
  return (
    <figure className="relative mx-auto w-full max-w-[30rem] lg:col-start-2 lg:row-start-1 lg:mx-0 lg:pt-10">
      <div
        aria-hidden
        className="[&>svg]:block [&>svg]:h-auto [&>svg]:w-full"
        dangerouslySetInnerHTML={{ __html: hardwareDrawing }}
      />
      <p className="sr-only">{alt}</p>
      <figcaption className="mt-4 text-sm lg:absolute lg:top-0 lg:right-0 lg:mt-0 lg:w-[46%]">
        <p className="font-semibold">{caption}</p>
        <ol className="mt-1 text-xs leading-5 text-ink-soft max-lg:grid max-lg:grid-cols-2 max-lg:gap-x-4">
          {parts.map((part, at) => (
            <li key={part} className="flex gap-1.5">
              <span className="font-semibold text-accent tabular-nums">{at + 1}</span>
              {part}
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}
