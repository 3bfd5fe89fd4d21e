import { publishedSitemap } from '../src/head/sub-page-head.ts';
import { publishedFile } from './published.ts';

export const onRequest = publishedFile(({ content }, built) => publishedSitemap(built, content));
