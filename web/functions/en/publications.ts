export { publishedPage as onRequest } from '../published.ts';
