// The order matters, because most user agents also contain the names of other browsers.
const browsers: [RegExp, string][] = [
  [/KAKAOTALK/i, '카카오톡'],
  [/NAVER\(inapp/i, '네이버 앱'],
  [/Whale\//, '네이버 웨일'],
  [/SamsungBrowser\//, '삼성 인터넷'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

export function deviceName(userAgent: string): string {
  const known = [browsers, systems].flatMap((list) => {
    const name = list.find(([pattern]) => pattern.test(userAgent))?.[1];
    return name === undefined ? [] : [name];
  });
  return known.length > 0 ? known.join(' · ') : '알 수 없는 기기';
}

/** In-app browsers that Google refuses (403 disallowed_useragent); most have a name in the user agent. */
const apps: [RegExp, name: string][] = [
  [/KAKAOTALK/i, 'KakaoTalk'],
  [/NAVER\(inapp|NAVER\/|whale.*inapp/i, 'NAVER'],
  [/Instagram/i, 'Instagram'],
  [/FBAN|FBAV/, 'Facebook'],
  [/\bLine\//i, 'LINE'],
  [/DaumApps/i, 'Daum'],
  [/everytimeApp/i, 'Everytime'],
  [/\bBand\//i, 'BAND'],
];

/**
 * Names the app of an in-app browser, and gives an address that opens the page in the phone's own browser.
 * Returns undefined in other browsers.
 * @param url the page's address, with http or https
 */
export function inAppBrowser(userAgent: string, url: URL): { app: string; outside: string } | undefined {
  const app = apps.find(([pattern]) => pattern.test(userAgent))?.[1];
  return app === undefined ? undefined : { app, outside: outsideOf(app, userAgent, url) };
}

/** KakaoTalk and LINE have their own URL schemes. Other apps may ignore the system's URL scheme. */
function outsideOf(app: string, userAgent: string, { href, protocol }: URL): string {
  const scheme = protocol.slice(0, -1);
  const rest = href.slice(protocol.length);
  if (app === 'KakaoTalk') return `kakaotalk://web/openExternal?url=${encodeURIComponent(href)}`;
  if (app === 'LINE') return `${href}${href.includes('?') ? '&' : '?'}openExternalBrowser=1`;
  if (/Android/.test(userAgent))
    return `intent:${rest}#Intent;scheme=${scheme};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end`;
  return `x-safari-${href}`;
}
