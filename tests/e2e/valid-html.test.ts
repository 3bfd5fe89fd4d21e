import { globSync, readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { sharedStack } from '../support/shared-stack.ts';

/** The rules of the HTML standard, without those of taste. */
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

/** A page that is drawn in both languages holds the English one in a template, and shows one of them. */
function shownIn(html: string): string[] {
  const english = /<template data-english>(.*?)<\/template>/s.exec(html);
  if (!english) return [html];
  const [template, drawn = ''] = english;
  const korean = html.replace(template, '');
  return [korean, korean.replace(/(<div id="root"[^>]*>).*(?=<\/div>)/s, (_, root: string) => root + drawn)];
}

/** What is wrong with a page in each language that it holds, as lines to read. */
async function faultsOf(page: string): Promise<string[]> {
  return (await Promise.all(shownIn(page).map(faultsIn))).flat();
}

async function faultsIn(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}

describe('the markup', () => {
  const stack = sharedStack('demo');

  test('PUB-22 what the running site answers is valid HTML', async () => {
    for (const path of ['/', '/ko', '/en', '/login', '/nowhere']) {
      const answer = await fetch(stack.origin + path);
      expect(await faultsOf(await answer.text()), path).toEqual([]);
    }
  });

  test('PUB-22 every page of the build is valid HTML', async () => {
    const pages = globSync('web/dist/**/*.html');
    expect(pages.length).toBeGreaterThan(7);
    for (const page of pages) expect(await faultsOf(readFileSync(page, 'utf8')), page).toEqual([]);
  });

  test('PUB-22 the validator sees what is wrong', async () => {
    const page = (body: string) =>
      `<!doctype html><html lang="ko"><head><title>a</title></head><body>${body}</body></html>`;
    expect(await faultsOf(page('<p>a</p>'))).toEqual([]);
    for (const wrong of [
      '<p><div></div></p>',
      '<i id="a"></i><i id="a"></i>',
      '<button><a href="/">a</a></button>',
      '<b>',
    ])
      expect(await faultsOf(page(wrong)), wrong).not.toEqual([]);
  });
});
