import { withPublications } from '../src/head/head.ts';
import { publishedFile } from './published.ts';

export const onRequest = publishedFile(({ content }, built) =>
  withPublications(built, content.publications.count > 0),
);
