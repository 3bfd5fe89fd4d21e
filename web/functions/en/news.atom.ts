export { onRequest } from '../news.atom.ts';
