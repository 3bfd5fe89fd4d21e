import { site } from '#content/lab.site';
import { newsFeed } from '../src/feeds/news-feed.ts';
import { servePublishedFile } from './published.ts';

export const onRequest = servePublishedFile(
  ({ content }, _built, path) => newsFeed(content, path.startsWith('/en/') ? 'en' : 'ko', site.url),
  (text) => !text.includes('<entry>'),
);
