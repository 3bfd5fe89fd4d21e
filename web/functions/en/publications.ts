export { publicationsPage as onRequest } from '../published.ts';
