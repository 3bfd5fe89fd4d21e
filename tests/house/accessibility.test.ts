import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The items of KWCAG 2.2 by the numbers of the standard. */
const ITEMS = `
5.1.1 적절한 대체 텍스트 제공
5.2.1 자막 제공
5.3.1 표의 구성
5.3.2 콘텐츠의 선형구조
5.3.3 명확한 지시사항 제공
5.4.1 색에 무관한 콘텐츠 인식
5.4.2 자동 재생 금지
5.4.3 텍스트 콘텐츠의 명도 대비
5.4.4 콘텐츠 간의 구분
6.1.1 키보드 사용 보장
6.1.2 초점 이동과 표시
6.1.3 조작 가능
6.1.4 문자 단축키
6.2.1 응답시간 조절
6.2.2 정지 기능 제공
6.3.1 깜빡임과 번쩍임 사용 제한
6.4.1 반복 영역 건너뛰기
6.4.2 제목 제공
6.4.3 적절한 링크 텍스트
6.4.4 고정된 참조 위치 정보
6.5.1 단일 포인터 입력 지원
6.5.2 포인터 입력 취소
6.5.3 레이블과 네임
6.5.4 동작기반 작동
7.1.1 기본 언어 표시
7.2.1 사용자 요구에 따른 실행
7.2.2 찾기 쉬운 도움 정보
7.3.1 오류 정정
7.3.2 레이블 제공
7.3.3 접근 가능한 인증
7.3.4 반복 입력 정보
8.1.1 마크업 오류 방지
8.2.1 웹 애플리케이션 접근성 준수
`
  .trim()
  .split('\n');

const [, ...sections] = readFileSync('docs/accessibility.md', 'utf8').split(/^### /m);
const sources = globSync('web/src/**/*.{ts,tsx,css}', { exclude: ['web/src/paraglide/**'] }).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}));
const holding = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('PUB-22 docs/accessibility.md goes through the 33 items of KWCAG 2.2', () => {
  expect(ITEMS).toHaveLength(33);
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(ITEMS);
});

test('PUB-22 each item names tests that there are, or says what is looked at by hand or why it does not apply', () => {
  for (const section of sections) {
    const named = [...section.matchAll(/^- `(tests\/[^`]+)`: (.+)$/gm)];
    expect(named.length > 0 || /^- (By hand|Not applicable): /m.test(section), section).toBe(true);
    for (const [, file = '', title = ''] of named) {
      // `test('PUB-1 …'`, and in a table `'PUB-1 …'` on a line of its own.
      expect(readFileSync(file, 'utf8'), `${file}: ${title}`).toContain(`'${title}`);
    }
  }
});

test('PUB-22 nothing plays sound or film, and nothing asks how the device moves', () => {
  expect(holding(/<(audio|video|marquee)\b|new Audio\(|devicemotion|deviceorientation/i)).toEqual([]);
});

test('PUB-22 no shortcut is a single letter', () => {
  expect(holding(/accessKey/i)).toEqual([]);
  const listening = sources.filter(({ text }) => /addEventListener\('key(down|up|press)'/.test(text));
  expect(listening.length).toBeGreaterThan(1);
  for (const { file, text } of listening) expect(text, file).toMatch(/ctrlKey|isShortcut|key === 'Escape'/);
});

test('PUB-22 nothing acts at the press of a pointer but what is dragged', () => {
  expect(holding(/onPointerDown|onMouseDown|onTouchStart/).sort()).toEqual([
    // Draws the options, before Radix opens them.
    'web/src/components/select-field.tsx',
    'web/src/features/plants/components/chart-pointer.tsx',
    'web/src/features/scores/grading/score-histogram.tsx',
  ]);
});

test('PUB-22 nothing flashes: an animation runs once, but for the slow pulse of what is loading', () => {
  expect(holding(/\binfinite\b|animate-(spin|ping|bounce)/)).toEqual([]);
});

test('PUB-22 a link that opens a window says so', () => {
  for (const { file, text } of sources) {
    for (const [link = ''] of text.matchAll(/<a\b[^>]*target="_blank"[\s\S]*?<\/a>/g)) {
      expect(link, file).toContain('(새 창)');
    }
  }
});
