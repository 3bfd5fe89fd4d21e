import { localize, localizePhone, type Content } from '#contract/content';
import { lab } from 'virtual:lab';
import { privacy } from 'virtual:privacy';
import { useLocale } from '../../lib/locale.ts';
import { loadPublishedContent } from '../../lib/published.ts';
import { m } from '../../paraglide/messages.js';

/* The lab's own parts of the privacy notice (web/public/markdown/privacy.md). */

type Said = Pick<Content, 'lab' | 'privacy'>;

const built: Said = { lab, privacy };
let current = built;

/** Shows the published notice instead of the built notice. Content from an older release has no notice. */
export function setShownPrivacy(said: Said): void {
  current = said.privacy.since === '' ? built : said;
}

/** The page's loader. The text around the notice is prerendered and does not change. */
export async function loadPrivacy(): Promise<void> {
  const news = await loadPublishedContent();
  if (news) setShownPrivacy(news.content);
}

function useSaid() {
  const locale = useLocale();
  const { lab, privacy } = localize(current, locale);
  return { lab, ...privacy, phone: localizePhone(privacy.phone, locale) };
}

/** The controller and the contact person, which the edge renders as published (src/edge-page.tsx). */
export const PrivacyOfficer = () => (
  <div data-edge="officer">
    <Officer />
  </div>
);

/** The date since which the notice applies, and the earlier notices. */
export const PrivacyVersions = () => (
  <div data-edge="notices">
    <Notices />
  </div>
);

export function Officer() {
  const { lab, officer, position, email, phone } = useSaid();
  const { name, affiliation, address } = lab;
  return (
    <ul>
      <li>{`${m.privacy_controller()}: ${affiliation} ${name} (${address.join(', ')})`}</li>
      <li>{`${m.privacy_officer()}: ${officer}, ${position}`}</li>
      <li>{`${m.menu_contact()}: ${[email, phone].filter(Boolean).join(', ')}`}</li>
    </ul>
  );
}

export function Notices() {
  const { since, earlier } = useSaid();
  return (
    <>
      <p>{m.privacy_since({ day: since })}</p>
      {earlier.length === 0 ? (
        <p>{m.privacy_first()}</p>
      ) : (
        <ul>
          {earlier.map(({ since: day, text, link }) => (
            <li key={day}>{link === '' ? `${day}: ${text}` : <a href={link}>{`${day}: ${text}`}</a>}</li>
          ))}
        </ul>
      )}
    </>
  );
}
