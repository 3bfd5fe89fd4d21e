import { addressIn, useLocale } from '../../../lib/locale.ts';
import type { usePublicContent } from '../content.ts';
import { dayText } from '../days.ts';

type News = ReturnType<typeof usePublicContent>['news'];

export function NewsList({ items, isPage = false }: { items: News; isPage?: boolean }) {
  const locale = useLocale();
  return (
    <ul className={isPage ? 'text-lg' : 'space-y-1.5 text-sm'}>
      {items.map(({ date, text, link }) => (
        <li
          key={date + text}
          className={`grid ${isPage ? 'border-b border-line py-5' : 'grid-cols-[6.25rem_minmax(0,1fr)]'}`}
        >
          <time dateTime={date} className={`text-ink-soft tabular-nums ${isPage ? 'text-sm' : ''}`}>
            {dayText(date, locale)}
          </time>
          {link === '' ? (
            text
          ) : (
            <a
              href={addressIn(locale, link) || link}
              className="underline decoration-line-strong underline-offset-4 hover:text-accent"
            >
              {text}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
