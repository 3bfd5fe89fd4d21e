import { site } from '#content/lab.site';
import type { Project } from '#content/projects';
import { abouts, news, photographs, projects } from 'virtual:lab-content';
import { aboutPicture } from '../about-picture.ts';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { NEWS_ON_FIRST_SCREEN } from './glance.tsx';
import { NewsList } from './news-list.tsx';
import { Photograph } from './photograph.tsx';
import { Section } from './section.tsx';
import { SelectedPapers } from './selected-papers.tsx';

export function About() {
  const locale = useLocale();
  const { paragraphs, topics, figure, figureCaption } = abouts[locale];
  const older = news.slice(NEWS_ON_FIRST_SCREEN);
  return (
    <Section id="about" heading={m.menu_about()}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-12 xl:grid-cols-[minmax(0,1fr)_450px]">
        <div className="max-w-[40rem] space-y-5 text-lg leading-8">
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <figure className="w-[450px] max-w-full">
          <img
            src={aboutPicture}
            alt={figure}
            width={site.picture.width}
            height={site.picture.height}
            loading="lazy"
            decoding="async"
            className="block h-auto w-full"
          />
          <figcaption className="mt-3 text-sm text-ink-soft">{figureCaption}</figcaption>
        </figure>
      </div>
      <h3 className="mt-16 text-xl font-bold">{m.about_topics()}</h3>
      <ul className="mt-5 border-b border-line">
        {topics.map((topic) => (
          <li
            key={topic.name}
            className="grid gap-x-12 gap-y-1 border-t border-line py-5 md:grid-cols-[minmax(0,19rem)_minmax(0,1fr)] md:items-baseline"
          >
            <h4 className="text-lg font-semibold">
              {topic.name}
              {topic.english !== undefined && (
                <span lang="en" className="block text-sm font-normal text-accent">
                  {topic.english}
                </span>
              )}
            </h4>
            <div>
              <p className="text-ink-soft">{topic.text}</p>
              {projects
                .filter((project) => project.topic === (topic.english ?? topic.name))
                .map((project) => (
                  <ProjectEntry key={project.name.en} project={project} />
                ))}
            </div>
          </li>
        ))}
      </ul>
      <SelectedPapers />
      {photographs.length > 0 && (
        <ul className="mt-12 grid gap-x-8 gap-y-10 sm:grid-cols-2">
          {photographs.map(({ file, alt, caption }) => (
            <li key={file}>
              <figure>
                <Photograph
                  file={file}
                  alt={alt[locale]}
                  sizes="(min-width: 64rem) 28rem, (min-width: 40rem) 45vw, 90vw"
                  className="h-auto w-full rounded-lg"
                />
                <figcaption className="mt-3 text-sm text-ink-soft">{caption[locale]}</figcaption>
              </figure>
            </li>
          ))}
        </ul>
      )}
      {older.length > 0 && (
        <>
          <h3 className="mt-14 text-xl font-bold">{m.news_older()}</h3>
          <div className="mt-4 max-w-[40rem]">
            <NewsList items={older} />
          </div>
        </>
      )}
    </Section>
  );
}

function ProjectEntry({ project: { name, years, funder, text, link } }: { project: Project }) {
  const locale = useLocale();
  return (
    <div className="mt-4 border-l-2 border-accent pl-4">
      <h5 className="font-semibold">
        {link === undefined ? (
          name[locale]
        ) : (
          <a href={link} className="text-link">
            {name[locale]}
          </a>
        )}{' '}
        <span className="text-sm font-normal text-ink-soft tabular-nums">
          {years}, {funder[locale]}
        </span>
      </h5>
      <p className="text-sm text-ink-soft">{text[locale]}</p>
    </div>
  );
}
