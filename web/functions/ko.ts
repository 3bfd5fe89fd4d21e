export { mainPage as onRequest } from './main-page.ts';
