/*
 * For pages that need the app. If the app does not load, or fails while starting, this script says so in
 * place of the loading text. The build compiles the script for browsers of ten years ago and inserts the
 * oldest supported browsers (web/vite/before-paint.ts).
 */
declare const OLDEST: string;

const LATE_MS = 8000;
let isAwake = false;

addEventListener('awake', function () {
  isAwake = true;
});

function say(): void {
  const place = document.querySelector('main output');
  if (isAwake || !place) return;
  const isKorean = document.documentElement.lang !== 'en';
  place.className = '';
  while (place.nextSibling) place.nextSibling.remove();
  place.setAttribute('role', 'alert');
  place.textContent = isKorean
    ? '페이지를 시작하지 못했습니다. 연결이 느리거나 끊겼을 수 있습니다. 필요한 브라우저는 ' +
      OLDEST +
      ' 이상입니다. '
    : 'The page could not start. The connection may be slow or lost. It needs at least ' + OLDEST + '. ';
  const links: [text: string, address: string][] = isKorean
    ? [
        ['다시 시도', ''],
        ['Google 계정으로 로그인', '/api/login/redirect'],
        ['홈', '/'],
      ]
    : [
        ['Try again', ''],
        ['Sign in with Google', '/api/login/redirect'],
        ['Home', '/en'],
      ];
  for (const [text, address] of links) {
    const link = document.createElement('a');
    link.className = 'text-link mr-6 inline-block py-2';
    link.href = address;
    link.textContent = text;
    if (address === '')
      link.addEventListener('click', function (event) {
        event.preventDefault();
        location.reload();
      });
    place.appendChild(link);
  }
}

addEventListener(
  'error',
  function (event) {
    const { target } = event;
    if (target === window || target instanceof HTMLScriptElement) say();
  },
  true,
);
setTimeout(say, LATE_MS);
