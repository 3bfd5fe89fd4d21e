import type { LabContent } from '#content/lab.ko';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { telephoneAddress, mapLinks } from '../contact-links.ts';
import { JoinUs } from './drawn.tsx';
import { LabMap } from './lab-map.tsx';
import { Section } from './section.tsx';
import { useState } from 'react';
import { toClipboard } from '../../../lib/copy-text.ts';

export function Contact({ lab }: { lab: LabContent }) {
  useLocale();
  const links = mapLinks(lab.place);
  return (
    <Section id="contact" heading={m.menu_contact()}>
      <JoinUs />
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
          {lab.phone !== undefined && (
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

function ExternalLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} rel="noreferrer" className="text-link inline-flex min-h-8 items-center">
      {text}
    </a>
  );
}

type Props = { lab: LabContent; of: 'address' | 'email' };

/** Copies address or email. The email is put together on the click alone, so that no harvester finds it. */
export function ContactActions({ lab, of }: Props) {
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

/** Puts a text on the clipboard, and says whether it is there. */
export function CopyButton({ text, label }: CopyButtonProps) {
  useLocale();
  const [isCopied, setIsCopied] = useState<boolean>();
  const copy = async () => setIsCopied(await toClipboard(text()));
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
