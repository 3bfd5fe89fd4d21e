import { inLanguage, phoneIn, type Content } from '#contract/content';
import { privacy as built } from 'virtual:privacy';
import { showLab, useLab } from '../../lib/lab-content.ts';
import { useLocale } from '../../lib/locale.ts';
import { published } from '../../lib/published.ts';
import { m } from '../../paraglide/messages.js';

/* What each laboratory says itself in the privacy notice (web/public/markdown/privacy.md). */

type Privacy = Content['privacy'];

let current: Privacy = built;

/** Shows what is published in place of what was built; what an earlier release published says nothing of it. */
export function showPrivacy(privacy: Privacy): void {
  current = privacy.since === '' ? built : privacy;
}

/** The loader of the page. */
export async function loadPrivacy(): Promise<void> {
  const news = await published();
  if (!news) return;
  showPrivacy(news.content.privacy);
  showLab(news.content.lab);
}

function usePrivacy() {
  const locale = useLocale();
  return { ...inLanguage(current, locale), phone: phoneIn(current.phone, locale) };
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
  const { name, affiliation, address } = useLab();
  const { officer, position, email, phone } = usePrivacy();
  return (
    <ul>
      <li>{`${m.privacy_controller()}: ${affiliation} ${name} (${address.join(', ')})`}</li>
      <li>{`${m.privacy_officer()}: ${officer}, ${position}`}</li>
      <li>{`${m.privacy_contact()}: ${[email, phone].filter(Boolean).join(', ')}`}</li>
    </ul>
  );
}

export function Notices() {
  const { since, earlier } = usePrivacy();
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
