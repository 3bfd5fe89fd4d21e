import { localize, localizePhone, type Content } from '#contract/content';
import { lab } from 'virtual:lab';
import { privacy } from 'virtual:privacy';
import { useLocale } from '../../lib/locale.ts';
import { published } from '../../lib/published.ts';
import { m } from '../../paraglide/messages.js';

/* What each laboratory says itself in the privacy notice (web/public/markdown/privacy.md). */

type Said = Pick<Content, 'lab' | 'privacy'>;

const built: Said = { lab, privacy };
let current = built;

/** Shows what is published in place of what was built; what an earlier release published says nothing of it. */
export function showPrivacy(said: Said): void {
  current = said.privacy.since === '' ? built : said;
}

/** The loader of the page. What is around the notice was drawn by the build, and stays. */
export async function loadPrivacy(): Promise<void> {
  const news = await published();
  if (news) showPrivacy(news.content);
}

function useSaid() {
  const locale = useLocale();
  const { lab, privacy } = localize(current, locale);
  return { lab, ...privacy, phone: localizePhone(privacy.phone, locale) };
}

/** Who processes the data, and who answers for it. The edge draws it of what is published (src/edge.tsx). */
export const PrivacyOfficer = () => (
  <div data-edge="officer">
    <Officer />
  </div>
);

/** Since when the notice stands, and what stood before. */
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
