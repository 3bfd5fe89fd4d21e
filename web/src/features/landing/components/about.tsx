import { site } from '#content/lab.site';
import { localizedPathIfAny, useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { PaperList, Photographs } from './lists.tsx';
import { Section } from './section.tsx';
import { Link } from '@tanstack/react-router';
import { dayText } from '../days.ts';
import { topicsInEnglish, usePublicContent } from '../content.ts';

export function About() {
  const locale = useLocale();
  const { about, photographs, projects, lists } = usePublicContent();
  const { paragraphs, topics, figure } = about;
  const english = topicsInEnglish();
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
      <div className="mt-12">
        <Photographs photographs={photographs} />
      </div>
      {lists.map(({ heading, items }) => (
        <div key={heading}>
          <h3 className="mt-14 text-xl font-bold">{heading}</h3>
          <ul className="mt-4 border-b border-line">
            {items.map(({ when, what, who, link }) => (
              <li
                key={what}
                className="grid gap-x-8 border-t border-line py-3 sm:grid-cols-[8rem_minmax(0,1fr)_auto]"
              >
                <span className="text-ink-soft tabular-nums">
                  {/^[\d-]{10}$/.test(when) ? dayText(when, locale) : when}
                </span>
                {link === '' ? (
                  what
                ) : (
                  <a href={localizedPathIfAny(locale, link) || link} className="text-link">
                    {what}
                  </a>
                )}
                <span className="text-ink-soft">{who}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}

type Project = ReturnType<typeof usePublicContent>['projects'][number];

function ProjectEntry({ project: { name, years, funder, text, path } }: { project: Project }) {
  const locale = useLocale();
  return (
    <div className="mt-4 border-l-2 border-accent pl-4">
      <h5 className="font-semibold">
        <Link
          to="/{-$locale}/projects/$name"
          params={{ locale: locale === 'en' ? 'en' : undefined, name: path.replace('/projects/', '') }}
          className="text-link"
        >
          {name}
        </Link>{' '}
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

/** URL of the picture whose file name is in the content. */
export const aboutPicture = files[`../../../../../content/pictures/${site.picture.file}`];

/** Selected publications of the lab, and a link to all of them. */
function SelectedPublications() {
  const locale = useLocale();
  const { selected, count } = usePublicContent().publications;
  if (count === 0) return null;
  return (
    <>
      <h3 className="mt-16 text-xl font-bold">
        {selected.length > 0 ? m.publications_selected() : m.publications()}
      </h3>
      <PaperList papers={selected} heading="h4" />
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
