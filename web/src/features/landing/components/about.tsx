import { site } from '#content/lab.site';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { NEWS_ON_FIRST_SCREEN, NewsList } from './glance.tsx';
import { Photograph } from '../../../components/photograph.tsx';
import { Section } from './section.tsx';
import { Link } from '@tanstack/react-router';
import { topicsInEnglish, usePublicContent } from '../content.ts';
import { Marked, PublicationLines, languageOf } from '../../../components/publication-lines.tsx';
import { plainText } from '#contract/publications';

export function About() {
  const locale = useLocale();
  const { about, news, photographs, projects } = usePublicContent();
  const { paragraphs, topics, figure } = about;
  const english = topicsInEnglish();
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
            alt={figure.alt}
            width={site.picture.width}
            height={site.picture.height}
            loading="lazy"
            decoding="async"
            className="block h-auto w-full"
          />
          <figcaption className="mt-3 text-sm text-ink-soft">{figure.caption}</figcaption>
        </figure>
      </div>
      <h3 className="mt-16 text-xl font-bold">{m.about_topics()}</h3>
      <ul className="mt-5 border-b border-line">
        {topics.map((topic, at) => (
          <li
            key={topic.name}
            className="grid gap-x-12 gap-y-1 border-t border-line py-5 md:grid-cols-[minmax(0,19rem)_minmax(0,1fr)] md:items-baseline"
          >
            <h4 className="text-lg font-semibold">
              {topic.name}
              {locale !== 'en' && (
                <span lang="en" className="block text-sm font-normal text-accent">
                  {english[at]}
                </span>
              )}
            </h4>
            <div>
              <p className="text-ink-soft">{topic.text}</p>
              {projects
                .filter((project) => project.topic === english[at])
                .map((project) => (
                  <ProjectEntry key={project.name} project={project} />
                ))}
            </div>
          </li>
        ))}
      </ul>
      <SelectedPublications />
      {photographs.length > 0 && (
        <ul className="mt-12 grid gap-x-8 gap-y-10 sm:grid-cols-2">
          {photographs.map(({ file, alt, caption }) => (
            <li key={file}>
              <figure>
                <Photograph
                  file={file}
                  alt={alt}
                  sizes="(min-width: 64rem) 28rem, (min-width: 40rem) 45vw, 90vw"
                  className="h-auto w-full rounded-lg"
                />
                <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>
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

type Project = ReturnType<typeof usePublicContent>['projects'][number];

function ProjectEntry({ project: { name, years, funder, text, link } }: { project: Project }) {
  return (
    <div className="mt-4 border-l-2 border-accent pl-4">
      <h5 className="font-semibold">
        {link === '' ? (
          name
        ) : (
          <a href={link} className="text-link">
            {name}
          </a>
        )}{' '}
        <span className="text-sm font-normal text-ink-soft tabular-nums">
          {years}, {funder}
        </span>
      </h5>
      <p className="text-sm text-ink-soft">{text}</p>
    </div>
  );
}

const files = import.meta.glob<string>('../../../../../content/pictures/*.{svg,avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** URL of the picture that the content names. */
export const aboutPicture = files[`../../../../../content/pictures/${site.picture.file}`];

/** A choice of the lab's publications, and the way to all of them. */
function SelectedPublications() {
  const locale = useLocale();
  const { selected, count } = usePublicContent().publications;
  if (count === 0) return null;
  return (
    <>
      <h3 className="mt-16 text-xl font-bold">
        {selected.length > 0 ? m.publications_selected() : m.publications()}
      </h3>
      <ul className="mt-5 border-b border-line">
        {selected.map((publication) => (
          <li key={publication.key} className="border-t border-line py-5">
            <h4
              lang={languageOf(plainText(publication.title), locale)}
              className="text-lg/snug font-semibold text-pretty"
            >
              {publication.doi === undefined ? (
                <Marked text={publication.title} />
              ) : (
                <a href={`https://doi.org/${publication.doi}`} className="hover:text-accent hover:underline">
                  <Marked text={publication.title} />
                </a>
              )}
            </h4>
            <div className="mt-1.5">
              <PublicationLines publication={publication} />
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
          {m.publications_all({ count })}
        </Link>
      </p>
    </>
  );
}
