import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLocale } from '../lib/locale.ts';

/** A link to a document in the reader's language; works without JavaScript. */
export function DocumentLink(props: { name: string; className: string; children: ReactNode }) {
  const { name, ...rest } = props;
  const to = useLocale() === 'en' ? '/en/docs/$name' : '/docs/$name';
  return <Link to={to} params={{ name }} {...rest} />;
}
