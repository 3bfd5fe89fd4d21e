import { Link } from '@tanstack/react-router';
import { useHome, useLocale } from '../../lib/locale.ts';
import { SectionLink } from './section-link.tsx';
import type { MenuItem } from './visitor-menu.ts';

type Props = { items: MenuItem[]; onChoose: () => void };

export function MenuList({ items, onChoose }: Props) {
  useLocale();
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
            <Link to={item.to === '/' ? home : item.to} onClick={onChoose}>
              {item.label()}
            </Link>
          </li>
        ),
      )}
    </ul>
  );
}
