export { privacyPage as onRequestGet } from '../published.ts';
