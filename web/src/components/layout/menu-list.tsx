import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react';
import { useHome, useLocale } from '../../lib/locale.ts';
import { type MenuItem, isMainPage, type MainPageSection } from './visitor-menu.ts';

type Props = { items: MenuItem[]; onChoose?: () => void };

export function MenuList({ items, onChoose }: Props) {
  const params = { locale: useLocale() === 'en' ? 'en' : undefined };
  const home = useHome();
  return (
    <ul>
      {items.map((item) =>
        'section' in item ? (
          <li key={item.section}>
            <SectionLink section={item.section} onChoose={onChoose}>
              {item.label()}
            </SectionLink>
          </li>
        ) : (
          <li key={item.to}>
            <Link to={item.to === '/' ? home : item.to} params={params} onClick={onChoose}>
              {item.label()}
            </Link>
          </li>
        ),
      )}
    </ul>
  );
}

type SectionLinkProps = {
  section: MainPageSection;
  /** Called before the page scrolls to the section. */
  onChoose?: (() => void) | undefined;
  className?: string;
  children: ReactNode;
};

/** A link to a section of the main page. The router's link would mark every such link as the current page. */
function SectionLink({ section, onChoose, className, children }: SectionLinkProps) {
  const navigate = useNavigate();
  const home = useHome();
  const isHere = useRouterState({ select: ({ location }) => isMainPage(location.pathname) });
  const isCurrent = useCurrentSection() === section;
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onChoose?.();
    if (!isHere) {
      void navigate({ to: home, hash: section });
      return;
    }
    const target = document.getElementById(section);
    // Scrolling is smooth only while a link or button has the focus (base.css).
    target?.scrollIntoView();
    target?.focus({ preventScroll: true });
    void navigate({ to: '.', hash: section, hashScrollIntoView: false, resetScroll: false });
  };
  return (
    <a
      href={`${isHere ? '' : home}#${section}`}
      aria-current={isCurrent ? 'location' : undefined}
      onClick={go}
      className={className}
    >
      {children}
    </a>
  );
}

let current: MainPageSection | undefined;
const listeners = new Set<() => void>();

/** The section of the main page that crosses the middle of the window. */
function useCurrentSection(): MainPageSection | undefined {
  return useSyncExternalStore(subscribe, () => current, nothing);
}

const nothing = () => undefined;

export function setCurrentSection(section: MainPageSection | undefined): void {
  current = section;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
