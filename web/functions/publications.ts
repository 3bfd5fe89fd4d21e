export { onlyPublished as onRequestGet } from './published.ts';
