import type { LabContent } from '#content/lab.ko';
import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { embeddedMapUrl, mapLinks } from '../map-links.ts';
import { Section } from './section.tsx';

export function Contact({ lab }: { lab: LabContent }) {
  useLocale();
  const links = mapLinks(lab.place);
  return (
    <Section id="contact" heading={m.menu_contact()}>
      <dl className="grid gap-8 md:grid-cols-2">
        <div>
          <dt className="text-sm text-ink-soft">{m.contact_address()}</dt>
          <dd className="mt-1 text-lg">
            {lab.address.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt className="text-sm text-ink-soft">{m.contact_email()}</dt>
          <dd className="mt-1 text-lg">{lab.email}</dd>
        </div>
      </dl>
      <LabMap place={lab.place} />
      <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
        <li>
          <ExternalLink href={links.naver} text={m.contact_open_naver()} />
        </li>
        <li>
          <ExternalLink href={links.kakao} text={m.contact_open_kakao()} />
        </li>
        <li>
          <ExternalLink href={links.openStreetMap} text={m.contact_open_osm()} />
        </li>
      </ul>
    </Section>
  );
}

/** Nothing of the map's maker is loaded until the visitor has nearly scrolled to it. */
function LabMap({ place }: { place: LabContent['place'] }) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className="relative mt-8 grid aspect-[4/3] place-items-center overflow-hidden rounded-lg border border-line bg-sunken sm:aspect-[21/9]"
    >
      <p className="px-6 text-center text-sm text-ink-soft">{place.name}</p>
      {isNear && (
        <iframe
          title={m.contact_map()}
          src={embeddedMapUrl(place)}
          referrerPolicy="strict-origin-when-cross-origin"
          sandbox="allow-scripts allow-popups"
          className="absolute inset-0 size-full"
        />
      )}
    </div>
  );
}

function ExternalLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-link inline-flex min-h-8 items-center">
      {text}
    </a>
  );
}
