import { expect, test } from 'vitest';
import { deviceName, inAppBrowser } from '../../web/src/features/login/user-agent.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Chrome · Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`],
  [
    'Edge · Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
  ],
  [
    '네이버 웨일 · macOS',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/138.0.0.0 Whale/4.33.0.0 Safari/537.36`,
  ],
  [
    '삼성 인터넷 · Android',
    `Mozilla/5.0 (Linux; Android 15; SM-S931N) ${webKit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Safari · iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome · iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox · Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['알 수 없는 기기', ''],
  ['알 수 없는 기기', 'curl/8.5.0'],
])('AUTH-11 a session is told as %s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});

const url = new URL('https://lab.example.ac.kr/login');
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android = `Mozilla/5.0 (Linux; Android 15; SM-S931N; wv) ${webKit} Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36`;
const intent =
  'intent://lab.example.ac.kr/login#Intent;scheme=https;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end';

test.each([
  [
    `${android};KAKAOTALK 2409760`,
    'KakaoTalk',
    `kakaotalk://web/openExternal?url=${encodeURIComponent(url.href)}`,
  ],
  [
    `${iPhone} Mobile/15E148 KAKAOTALK 10.8.5`,
    'KakaoTalk',
    `kakaotalk://web/openExternal?url=${encodeURIComponent(url.href)}`,
  ],
  [`${android} NAVER(inapp; search; 1090; 12.4.1)`, 'NAVER', intent],
  [
    `${iPhone} Version/13.0 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 720; 10.25.0; 11PRO)`,
    'NAVER',
    `x-safari-${url}`,
  ],
  [`${android} Instagram 320.0.0.42.101 Android (35/15; 480dpi)`, 'Instagram', intent],
  [`${iPhone} Mobile/15E148 Instagram 300.0.0.14.109 (iPhone15,3; iOS 18_6)`, 'Instagram', `x-safari-${url}`],
  [`${android} Line/14.0.0/IAB`, 'LINE', `${url}?openExternalBrowser=1`],
])('AUTH-14 the app of %s is known, with a way out of it', (userAgent, app, outside) => {
  expect(inAppBrowser(userAgent, url)).toEqual({ app, outside });
});

test('AUTH-14 a browser is no app, also those of Naver and Kakao’s owners', () => {
  for (const browser of [
    'Chrome/140.0.0.0 Whale/4.33.0.0 Safari/537.36',
    'SamsungBrowser/28.0 Chrome/130.0.0.0',
  ])
    expect(inAppBrowser(`Mozilla/5.0 (Linux; Android 15) ${webKit} ${browser}`, url)).toBeUndefined();
});
