export { subPage as onRequest } from '../../published.ts';
