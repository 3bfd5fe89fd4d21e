import { servePublishedFile } from './published.ts';

export const onRequest = servePublishedFile(
  ({ publications }) => publications.bibtex,
  (text) => text.trim() === '',
);
