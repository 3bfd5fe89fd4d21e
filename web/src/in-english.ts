/*
 * Follows a page that is drawn in both languages, and puts the English one in its place before anything is painted; the
 * place of the side bar stays for the screens that have one. The build writes it in (web/vite/before-paint.ts).
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

// A module, so that its names are its own.
// oxlint-disable-next-line unicorn/require-module-specifiers
export {};
