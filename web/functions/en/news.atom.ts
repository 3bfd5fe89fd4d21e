import { site } from '#content/lab.site';
import { newsFeed } from '../../src/head/news-feed.ts';
import { publishedFile } from '../published.ts';

export const onRequest = publishedFile(
  ({ content }) => newsFeed(content, 'en', site.url),
  (text) => !text.includes('<entry>'),
);
