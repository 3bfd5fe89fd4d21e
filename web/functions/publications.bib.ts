import { publishedFile } from './published.ts';

export const onRequestGet = publishedFile(
  ({ publications }) => publications.bibtex,
  (text) => text.trim() === '',
);
