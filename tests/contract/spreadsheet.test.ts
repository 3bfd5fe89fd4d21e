import { escapeFormula, unescapeFormula } from '#contract/spreadsheet';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';

test.each([
  '\0=1+1',
  '\v=1',
  '  =1',
  '\u00a0+1',
  '\ufeff@x',
  '\u3000－1',
  '\f-1',
  '\u200b=1',
  '\x01\t=1',
  "' =1",
])('SEC-104 %j is no formula in a spreadsheet, whatever it skips before one', (text) => {
  expect(escapeFormula(text)).toBe(`'${text}`);
  expect(unescapeFormula(escapeFormula(text))).toBe(text);
});

test('SEC-104 what is guarded comes back, and words are as they were', () => {
  const lead = fc.string({
    unit: fc.constantFrom('\0', '\v', ' ', '\u00a0', '\ufeff', "'", '=', '-', '0', '가'),
  });
  fc.assert(
    fc.property(lead, fc.string(), (start, rest) => {
      expect(unescapeFormula(escapeFormula(start + rest))).toBe(start + rest);
    }),
    propertyRuns(),
  );
  expect(escapeFormula('회비 - 3월')).toBe('회비 - 3월');
});
