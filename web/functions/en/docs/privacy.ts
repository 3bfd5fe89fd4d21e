export { privacyPage as onRequest } from '../../published.ts';
