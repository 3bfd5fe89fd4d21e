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

/** Shows the published notice, or the build's notice if an older release published no notice. */
export function setShownPrivacy(said: Said): void {
  current = said.privacy.since === '' ? built : said;
}

/** Loads the published notice before the page opens. The text around the notice is prerendered and fixed. */
export async function loadPrivacy(): Promise<void> {
  const news = await loadPublishedContent();
  if (news) setShownPrivacy(news.content);
}

function useSaid() {
  const locale = useLocale();
  const { lab, privacy } = localize(current, locale);
  return { lab, ...privacy, phone: localizePhone(privacy.phone, locale) };
}

/** Names the data controller and the contact person. The edge renders the published names (edge-page.tsx). */
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
