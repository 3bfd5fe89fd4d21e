/** In the root of a page that the build wrote without anything in it. */
export const EMPTY_ROOT = ' data-nothing';

/** Where each language's news can be followed. */
export const FEEDS = { ko: '/news.atom', en: '/en/news.atom' } as const;
