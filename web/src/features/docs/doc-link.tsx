import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** A link in a document. Links to other documents do not reload the page. */
export function DocLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const [, english, name, section] = /^(\/en)?\/docs\/([a-z0-9_-]+)(?:#(.*))?$/.exec(href) ?? [];
  if (name === undefined) {
    return (
      <a href={href} {...rest}>
        {children}
      </a>
    );
  }
  return (
    <Link
      to={english ? '/en/docs/$name' : '/docs/$name'}
      params={{ name }}
      {...(section !== undefined && { hash: decodeURI(section) })}
    >
      {children}
    </Link>
  );
}
