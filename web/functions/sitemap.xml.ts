import { publishedSitemap } from '../src/head/sub-page-head.ts';
import { servePublishedFile } from './published.ts';

export const onRequest = servePublishedFile(({ content }, built) => publishedSitemap(built, content));
