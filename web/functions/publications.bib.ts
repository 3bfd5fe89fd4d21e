import { publishedFile } from './published.ts';

export const onRequest = publishedFile(
  ({ publications }) => publications.bibtex,
  (text) => text.trim() === '',
);
