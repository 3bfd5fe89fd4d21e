import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  containsInitials,
  hasInitials,
  initialConsonants,
  subjectParticle,
  topicParticle,
} from '../../web/src/lib/hangul.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(300, 10_000);
const contains = (text: string, word: string) => containsInitials(text, initialConsonants(text), word);

test('STU-13 the initials of a name are its first consonants', () => {
  expect(initialConsonants('홍길동')).toBe('ㅎㄱㄷ');
  expect(initialConsonants('까치 A1')).toBe('ㄲㅊ A1');
  expect(initialConsonants('가힣')).toBe('ㄱㅎ');
});

test('STU-13 a lone consonant stands for a syllable, beside whole syllables too', () => {
  for (const word of ['ㅎㄱㄷ', 'ㄱㄷ', '홍ㄱㄷ', '홍길ㄷ', '홍길동'])
    expect(contains('홍길동', word), word).toBe(true);
  for (const word of ['ㅎㄷ', 'ㄱㅎ', '홍ㄷ', 'ㅎㄱㄷㄹ']) expect(contains('홍길동', word), word).toBe(false);
  expect(hasInitials('홍ㄱ')).toBe(true);
  expect(hasInitials('홍길')).toBe(false);
});

test('STU-13 every part of a name is found by its own initials', () => {
  const syllable = fc.integer({ min: 0xac00, max: 0xd7a3 }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.array(syllable, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (letters, a, b) => {
      const name = letters.join('');
      const [from, to] = [a % letters.length, b % letters.length].sort((x, y) => x - y);
      expect(contains(name, initialConsonants(name.slice(from, (to ?? 0) + 1)))).toBe(true);
    }),
    options,
  );
});

test('SCO-4 the particle of a topic follows how the word ends when it is spoken', () => {
  for (const word of ['미응시', '결시', '90점대', 'F', 'A', '0.5', 'x2'])
    expect(topicParticle(word), word).toBe('는');
  for (const word of ['병결', '90점', '10', '13', 'N', 'null']) expect(topicParticle(word), word).toBe('은');
  for (const word of ['-', '?', '결시)', '👋']) expect(topicParticle(word), word).toBe('은(는)');
});

test('ACC-17 SCO-4 after a number, a date or a word the particle is that of its last sound', () => {
  const spoken = ['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
  for (const [digit, word] of spoken.entries()) {
    for (const text of [String(digit), `1${digit}`, `2026.12.2${digit}`]) {
      expect(topicParticle(text), text).toBe(topicParticle(word));
      expect(subjectParticle(text), text).toBe(subjectParticle(word));
    }
  }
  expect(spoken.map(topicParticle).join('')).toBe('은은는은는는은은은는');
  expect(spoken.map(subjectParticle).join('')).toBe('이이가이가가이이이가');
  const syllables = Array.from({ length: 0xd7a4 - 0xac00 }, (_, at) => String.fromCodePoint(0xac00 + at));
  const isOpen = (syllable: string) => syllable.normalize('NFD').length === 2;
  expect(syllables.map(topicParticle)).toEqual(syllables.map((each) => (isOpen(each) ? '는' : '은')));
  expect(syllables.map(subjectParticle)).toEqual(syllables.map((each) => (isOpen(each) ? '가' : '이')));
});
