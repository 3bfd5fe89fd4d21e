import { expect, test } from 'vitest';
import { publicText, toastText } from '../../web/src/lib/toast-queue.ts';

test.each([
  [401, '로그인 되지 않음'],
  [403, '접근 권한 없음'],
  [500, '서버 오류'],
  [503, '데이터 없음'],
])('ERR-1 the status %i is translated, as a number and as text', (status, text) => {
  expect(toastText(status)).toBe(text);
  expect(toastText(String(status))).toBe(text);
});

test.each([404, 409, 502, 522])(
  'ERR-1 WORK-8 the status %i has no text of its own and is told by its number',
  (status) => {
    expect(toastText(status)).toBe(`서버 오류 (${status})`);
    expect(toastText(publicText(status), 'en')).toBe(`Server error (${status})`);
  },
);

test('ERR-1 any other text is shown as it is', () => {
  expect(toastText('이미 등록된 학번/직번입니다')).toBe('이미 등록된 학번/직번입니다');
  expect(toastText('')).toBe('');
});

test('PUB-13 a text of the public page is there in both languages, and Korean where it is not asked for', () => {
  expect(toastText(publicText(500), 'en')).toBe('Server error');
  expect(toastText(publicText(500))).toBe('서버 오류');
  expect(toastText(publicText('그대로'), 'en')).toBe('그대로');
});
