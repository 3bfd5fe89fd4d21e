import type { LabContent } from '../../../lib/lab-content.ts';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { telephoneAddress, mapLinks } from '../contact-links.ts';
import { Directions } from './prerendered.tsx';
import { Section } from './section.tsx';
import { useState, useEffect, useRef } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';

export function Contact({ lab }: { lab: LabContent }) {
  useLocale();
  const links = mapLinks(lab.place);
  const maps = [
    [links.naver, m.contact_open_naver()],
    [links.kakao, m.contact_open_kakao()],
    [links.openStreetMap, m.contact_open_osm()],
  ] as const;
  return (
    <Section id="contact" heading={m.menu_contact()}>
      <dl id="ways" className="grid gap-8 md:grid-cols-2">
        <div>
          <dt className="text-sm text-ink-soft">{m.contact_address()}</dt>
          <dd className="mt-1 text-lg">
            {lab.address.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
            <ContactActions lab={lab} of="address" />
          </dd>
        </div>
        <div>
          <dt className="text-sm text-ink-soft">{m.email()}</dt>
          <dd className="mt-1 text-lg">
            {lab.email}
            <ContactActions lab={lab} of="email" />
          </dd>
          {lab.phone !== '' && (
            <>
              <dt className="mt-6 text-sm text-ink-soft">{m.card_phone()}</dt>
              <dd className="mt-1 text-lg">
                <a href={telephoneAddress(lab.phone)} className="text-link">
                  {lab.phone}
                </a>
              </dd>
            </>
          )}
        </div>
      </dl>
      <Directions />
      <LabMap place={lab.place} />
      <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
        {maps.map(([href, text]) => (
          <li key={href}>
            <a href={href} rel="noreferrer" className="text-link inline-flex min-h-8 items-center">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Props = { lab: LabContent; of: 'address' | 'email' };

/** Copies the postal or the email address. The page has no plain email address that a spam bot could find. */
function ContactActions({ lab, of }: Props) {
  useLocale();
  if (of === 'address') return <CopyButton text={() => lab.address.join(', ')} label={m.copy_address()} />;
  const email = () => lab.email.replace(' AT ', '@');
  return (
    <span className="flex flex-wrap gap-x-6">
      <button
        type="button"
        onClick={() => {
          location.href = `mailto:${email()}`;
        }}
        className="text-link min-h-11 text-sm"
      >
        {m.contact_mail()}
      </button>
      <CopyButton text={email} label={m.copy_email()} />
    </span>
  );
}

type CopyButtonProps = { text: () => string; label: string };

/** Copies a text to the clipboard and shows whether that worked. */
function CopyButton({ text, label }: CopyButtonProps) {
  useLocale();
  const [isCopied, setIsCopied] = useState<boolean>();
  // Does not use lib/copy-text.ts, which would add the toasts' texts to the first script.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setIsCopied(true);
    } catch {
      setIsCopied(false);
    }
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 text-sm print:hidden">
      <button type="button" onClick={() => void copy()} className="text-link min-h-11">
        {label}
      </button>
      <output className="text-ink-soft">
        {isCopied !== undefined && (isCopied ? m.copied() : m.copy_failed())}
      </output>
    </span>
  );
}

/** If the map's code cannot be loaded, the drawing stays. */
const MapFrame = lazyPart(async () => (await import('./map-frame.tsx')).MapFrame, {
  crashClassName: 'hidden',
});

/** Loads data from the map's provider only when the visitor has almost scrolled to the map. */
function LabMap({ place }: { place: LabContent['place'] }) {
  useLocale();
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
      className="group mt-8 grid min-h-64 overflow-hidden rounded-lg border border-line bg-sunken"
    >
      {/* Shown until the map has loaded; it must not imitate a map. */}
      <p className="place-self-center p-6 text-center group-has-[iframe]:hidden">
        <svg
          width="28"
          height="36"
          viewBox="0 0 28 36"
          aria-hidden
          className="mx-auto mb-3 fill-accent-wash stroke-accent"
        >
          <path d="M14 35C6 24 2 19 2 13a12 12 0 0 1 24 0c0 6-4 11-12 22z" strokeWidth="2" />
          <circle cx="14" cy="13" r="4" strokeWidth="2" />
        </svg>
        <strong>{place.name}</strong>
        <span className="block text-sm text-ink-soft tabular-nums">
          {place.latitude}° N, {place.longitude}° E
        </span>
      </p>
      {isNear && <MapFrame place={place} />}
    </div>
  );
}
