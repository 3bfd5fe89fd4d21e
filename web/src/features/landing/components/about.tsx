import type { LabContent } from '#content/lab.ko';
import { site } from '#content/lab.site';
import { aboutPicture } from '../about-picture.ts';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { Section } from './section.tsx';

export function About({ lab }: { lab: LabContent }) {
  useLocale();
  return (
    <Section id="about" heading={m.menu_about()}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-12 xl:grid-cols-[minmax(0,1fr)_450px]">
        <div className="max-w-[40rem] space-y-5 text-lead">
          {lab.about.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <figure className="w-[450px] max-w-full">
          <img
            src={aboutPicture}
            alt={lab.figure}
            width={site.picture.width}
            height={site.picture.height}
            loading="lazy"
            decoding="async"
            className="block h-auto w-full"
          />
          <figcaption className="mt-3 text-sm text-ink-soft">{lab.figureCaption}</figcaption>
        </figure>
      </div>
      <h3 className="mt-16 text-xl font-bold">{m.about_topics()}</h3>
      <ul className="mt-5 border-b border-line">
        {lab.topics.map((topic) => (
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
            <p className="text-ink-soft">{topic.text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
