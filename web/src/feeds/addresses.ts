/** Attribute on the root element of a page that the build rendered without content. */
export const EMPTY_ROOT_ATTRIBUTE = ' data-nothing';

/** Addresses of the news feeds by language. */
export const FEEDS = { ko: '/news.atom', en: '/en/news.atom' } as const;
