import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { logLine } from '#contract/log-line';
import { visible, visibleJson, visibleLines } from '#contract/visible-text';
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
  expect(visible(hostile)).toBe(shown);
});

test('SEC-49 whatever the text, nothing that is shown is invisible, and lines stay lines', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(visible(each)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(visibleLines(`${each}\n\t`).replace(/[\n\t]/g, '')).not.toMatch(
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
      expect(JSON.parse(visibleJson({ [each]: [each] }))).toEqual(
        JSON.parse(JSON.stringify({ [each]: [each] })),
      );
    }),
    propertyRuns(),
  );
});
