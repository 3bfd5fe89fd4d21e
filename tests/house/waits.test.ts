import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The call that begins at `start`, up to the parenthesis that ends it, and what follows up to the end of the statement. */
function callAt(text: string, start: number): { call: string; rest: string } {
  let depth = 0;
  for (let at = text.indexOf('(', start); at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth > 0) continue;
    return { call: text.slice(start, at + 1), rest: text.slice(at + 1, text.indexOf(';', at)) };
  }
  throw new Error(`no call ends: ${text.slice(start, start + 80)}`);
}

const files = globSync('tests/{e2e,local,worker,ingest,firmware-bridge,web,support}/**/*.ts');
const calls = (pattern: RegExp, of = files) =>
  of.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(pattern)].map(({ index }) =>
      Object.assign(callAt(text, index), {
        where: `${file}:${text.slice(0, index).split('\n').length}`,
      }),
    );
  });
const wheres = (found: { where: string }[]) => found.map(({ where }) => where);

test('what a page shows is polled: an element that is there may not say it yet on a busy machine', () => {
  const READ =
    /\.(count|allInnerTexts|allTextContents|isDisabled|isEnabled|isVisible|isHidden|isChecked|innerText|textContent|inputValue|getAttribute)\(\W*\w*\W*\)|activeElement/;
  // What never comes is looked for once: a poll would wait until it is gone.
  const ABSENT = /^\s*(\.not\.|\.toBe\((0|false)\)|\.toBeLess)/;
  const once = calls(/(?<![\w.])expect\(/g, globSync('tests/e2e/*.test.ts'));
  expect(once.length).toBeGreaterThan(300);
  expect(
    wheres(once.filter(({ call, rest }) => call.includes('await ') && READ.test(call) && !ABSENT.test(rest))),
  ).toEqual([]);
});

test('who waits has the patience of the house, half a minute, and waits for an event', () => {
  const PATIENT = /\b(IN_TIME|PATIENCE)\b|\b([3-9]\d|\d{3})_000\b/;
  const waits = calls(/\bvi\.(waitFor|waitUntil)\(/g);
  expect(waits.length).toBeGreaterThan(10);
  expect(wheres(waits.filter(({ call }) => !PATIENT.test(call)))).toEqual([]);
  const polls = calls(/\bexpect\s*\.poll\(/g);
  expect(wheres(polls.filter(({ call }) => call.includes('timeout:') && !PATIENT.test(call)))).toEqual([]);
  expect(wheres(calls(/\.waitForTimeout\(/g))).toEqual([]);
});

test('nothing is measured by the clock: a busy machine takes as long as it takes', () => {
  const timed = calls(/\bexpect\(/g, globSync('tests/**/*.test.ts')).filter(({ call }) =>
    /performance\.now\(\) - /.test(call),
  );
  expect(wheres(timed)).toEqual([]);
});
