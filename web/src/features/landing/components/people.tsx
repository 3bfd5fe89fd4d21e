import {
  PEOPLE_GROUPS,
  canSeeEveryone,
  obfuscateEmail,
  type PeopleGroup,
  type PersonCard,
  type PersonLinks,
} from '#contract/people-groups';
import { useQuery } from '@tanstack/react-query';
import { localizedPathIfAny, useLocale } from '../../../lib/locale.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { m } from '../../../paraglide/messages.js';
import { usePublicContent } from '../content.ts';
import { peopleQuery } from '../queries.ts';
import { telephoneAddress } from '../contact-links.ts';
import { Photograph } from '../../../components/photograph.tsx';
import { Photographs } from './lists.tsx';
import { Section } from './section.tsx';

const groupNames = {
  professors: m.professors,
  graduate_students: m.graduate_students,
  undergraduate_students: m.undergraduate_students,
  graduate_alumnis: m.graduate_alumnis,
  undergraduate_alumnis: m.undergraduate_alumnis,
};

/** Professors have wide cards, alumni have rows, all others have narrow cards. */
const lists: Partial<Record<PeopleGroup, string>> = {
  professors: 'space-y-4',
  graduate_alumnis: 'border-b border-line',
  undergraduate_alumnis: 'border-b border-line',
};
const columns =
  'grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1.5fr)_minmax(0,1.1fr)_minmax(0,1fr)]';
const alumniColumns =
  'grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 md:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)]';
const box = 'rounded-lg border border-line bg-surface p-6';

export function People() {
  const locale = useLocale();
  const { id, secureLevel } = useLoginState();
  // Only a user who may see more people than a visitor requests the people from the API.
  const { data } = useQuery({ ...peopleQuery(locale, id), enabled: canSeeEveryone(secureLevel) });
  const { people: seen, group } = usePublicContent();
  const people = data ?? seen;
  return (
    <Section id="people" heading={m.menu_people()}>
      <div className="space-y-14">
        <Photographs photographs={group} />
        {PEOPLE_GROUPS.map((group) => {
          const cards = people[group];
          if (!cards || cards.length === 0) return null;
          return (
            <div key={group}>
              <h3 className="text-xl font-bold">{groupNames[group]()}</h3>
              <div className="mt-4">
                <ul className={lists[group] ?? 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'}>
                  {cards.map((card) => (
                    <li key={`${card.name} ${card.position}`}>
                      <NameCard card={card} group={group} />
                    </li>
                  ))}
                </ul>
              </div>
            </div>
          );
        })}
      </div>
    </Section>
  );
}

function NameCard({ card, group }: { card: PersonCard; group: PeopleGroup }) {
  const isWide = group === 'professors';
  const locale = useLocale();
  const papers = usePublicContent().publications.byName[card.name];
  const details = [
    [m.card_office(), card.office],
    // The API gives members plain addresses, but the page shows only obfuscated ones.
    [m.email(), card.email && obfuscateEmail(card.email)],
    [m.card_phone(), card.phone],
  ] as const;
  const hasDetails = details.some(([, value]) => value !== undefined);
  return (
    <article
      className={
        isWide
          ? `${box} ${columns} md:p-8`
          : group in lists
            ? `${alumniColumns} border-t border-line py-5`
            : `${box} flex h-full flex-col gap-y-4`
      }
    >
      <div className={`flex items-start gap-4 ${isWide ? 'flex-wrap' : ''}`}>
        {card.photograph && (
          <Photograph
            {...card.photograph}
            sizes={isWide ? '7rem' : '4rem'}
            className={`rounded-full ${isWide ? 'size-28' : 'size-16'}`}
          />
        )}
        <div className="min-w-0">
          <h4 className={`font-bold ${isWide ? 'text-heading' : 'text-lg'}`}>
            {card.name}{' '}
            <span className={`text-base font-normal text-ink-soft ${isWide ? 'block' : 'inline-block'}`}>
              {card.position}
            </span>
          </h4>
          <p className="text-ink-soft">
            {card.department}
            {card.years !== undefined && <span className="block tabular-nums">{card.years}</span>}
          </p>
          {papers !== undefined && (
            <a
              href={`${localizedPathIfAny(locale, '/publications')}?person=${encodeURIComponent(card.name)}`}
              className="text-link inline-flex min-h-8 w-fit items-center text-sm"
            >
              {m.card_papers({ count: papers })}
            </a>
          )}
        </div>
      </div>
      {card.after !== undefined && (
        <p>
          <span className="block text-sm text-ink-soft">{m.card_after()}</span>
          {card.after}
        </p>
      )}
      {(card.links ?? hasDetails) && (
        <div className="space-y-3 text-sm">
          {hasDetails && (
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-5 gap-y-1.5">
              {details.map(
                ([label, value]) =>
                  value !== undefined && (
                    <div key={label} className="contents">
                      <dt className="text-ink-soft">{label}</dt>
                      <dd>
                        {value === card.phone ? (
                          <a href={telephoneAddress(value)} className="hover:text-accent hover:underline">
                            {value}
                          </a>
                        ) : (
                          value
                        )}
                      </dd>
                    </div>
                  ),
              )}
            </dl>
          )}
          {card.links && <Links links={card.links} name={card.name} />}
        </div>
      )}
      {card.interests && card.interests.length > 0 && (
        <div className="text-sm md:col-start-[-2]">
          <h5 className="text-ink-soft">{m.card_interests()}</h5>
          <ul className="mt-1.5 space-y-0.5">
            {card.interests.map((interest) => (
              <li key={interest}>{interest}</li>
            ))}
          </ul>
        </div>
      )}
    </article>
  );
}

function Links({ links, name }: { links: PersonLinks; name: string }) {
  const kinds = [
    [m.card_homepage(), links.homepage],
    ['Google Scholar', links.scholar],
    ['ORCID', links.orcid],
    ['GitHub', links.github],
  ] as const;
  return (
    <ul aria-label={m.card_links({ name })} className="flex flex-wrap gap-x-4">
      {kinds.map(
        ([label, address]) =>
          address !== undefined && (
            <li key={label}>
              <a href={address} rel="noreferrer" className="text-link inline-flex min-h-8 items-center">
                {label}
              </a>
            </li>
          ),
      )}
    </ul>
  );
}
