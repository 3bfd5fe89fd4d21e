/** Where each language's news can be followed. */
export const FEEDS = { ko: '/news.atom', en: '/en/news.atom' } as const;
