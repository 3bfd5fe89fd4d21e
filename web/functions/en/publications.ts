export { publicationsPage as onRequestGet } from '../published.ts';
