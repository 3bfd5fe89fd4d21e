import process from 'node:process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { logLine } from '#contract/log-line';
import { normalizeText, printable, printableJson, printableLines } from '#contract/printable-text';
import { propertyRuns } from '../support/counts.ts';

const text = fc.string({ unit: 'binary', maxLength: 60 });

test.each([
  ['\u001b[2J', String.raw`\x1b[2J`],
  ['a\u202eb', String.raw`a\u202eb`],
  ['\u007f\u0085\u009b', String.raw`\x7f\x85\x9b`],
  ['one\ntwo\tthree\r', String.raw`one\x0atwo\x09three\x0d`],
  ['\u2028\u200b\ufeff\u00ad', String.raw`\u2028\u200b\ufeff\xad`],
  ['\u{e0041}', String.raw`\u{e0041}`],
  ['\ud800', String.raw`\ud800`],
  ['고사리 🌱 é', '고사리 🌱 é'],
])('SEC-49 %j is shown as %s', (hostile, shown) => {
  expect(printable(hostile)).toBe(shown);
});

test('SEC-49 whatever the text, nothing that is shown is invisible, and lines stay lines', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(printable(each)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(printableLines(`${each}\n\t`).replace(/[\n\t]/g, '')).not.toMatch(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u,
      );
    }),
    propertyRuns(),
  );
});

test('SEC-49 a line of a log is JSON of one line in which nothing is invisible, and says what it was told', () => {
  fc.assert(
    fc.property(text, (each) => {
      const line = logLine('warn', 'dead_letter', { topic: each });
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(JSON.parse(line)).toMatchObject({ topic: each });
      expect(JSON.parse(printableJson({ [each]: [each] }))).toEqual(
        JSON.parse(JSON.stringify({ [each]: [each] })),
      );
    }),
    propertyRuns(),
  );
});

test.each([
  ['가온달'.normalize('NFD'), '가온달'],
  ['\u202d202199100\u202c\u200e', '202199100'],
  ['나\u00ad린\u200f', '나린'],
  ['\u3000최\u00a0나래\n', '최 나래'],
  ['연구실 👩\u200d🔬', '연구실 👩\u200d🔬'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ],
  ['나린\u{e0041}\u{e007f}', '나린'],
  ['가\u200d나', '가나'],
  [' \u3164\u200b\u115f\ufe0f', ''],
])('IMP-8 %j is kept as %j', (given, kept) => {
  expect(normalizeText(given)).toBe(kept);
});

test('IMP-8 a text has one spelling, which is that of its decomposed form too, and stays as it is', () => {
  const part = fc.oneof(
    text,
    fc.constantFrom(
      '각',
      '한글',
      '👩',
      '\u200d',
      '🔬',
      '\ufe0f',
      '🏴',
      '\u{e0067}',
      '\u{e007f}',
      '\u202e',
      '\u3164',
      ' ',
      'é',
    ),
  );
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      (each) => {
        const kept = normalizeText(each);
        expect(normalizeText(kept)).toBe(kept);
        expect(kept.normalize('NFC')).toBe(kept);
        expect(kept.trim()).toBe(kept);
        expect(kept).not.toMatch(/(?![\u200d\u{e0020}-\u{e007f}])\p{Cf}/u);
        expect(normalizeText(each.normalize('NFD'))).toBe(normalizeText(each.normalize('NFC')));
      },
    ),
    propertyRuns(500),
  );
});

test('IMP-10 a long text of tags or joiners is cleaned at once', () => {
  const before = process.cpuUsage();
  for (const mark of ['\u{e0041}', '\u200d', '🏴\u{e0041}', '\u3164', '\u0301', ' '])
    normalizeText(mark.repeat(200_000));
  const { user, system } = process.cpuUsage(before);
  // The processor's time, however busy the machine is.
  expect(user + system).toBeLessThan(4_000_000);
});
