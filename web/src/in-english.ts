/*
 * Runs at the end of a page that is prerendered in both languages, and puts the English content in place
 * before the first paint. Only screens with a side bar keep the empty place of the side bar. The build
 * inlines this script (web/vite/before-paint.ts).
 */
const root = document.getElementById('root');
const english = document.querySelector<HTMLTemplateElement>('template[data-english]');
if (root && english && document.documentElement.lang === 'en') {
  root.replaceChildren(english.content);
  root.dataset['locale'] = 'en';
}
delete root?.dataset['both'];
if (!/^\/(manage_|settings)/.test(location.pathname))
  document.getElementById('side-bar')?.removeAttribute('data-on');

// Makes the file a module, so that its variables are not global.
// oxlint-disable-next-line unicorn/require-module-specifiers
export {};
