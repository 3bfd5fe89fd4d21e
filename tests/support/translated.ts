import type { Page } from 'playwright-core';

/**
 * Does what Chrome's translation does to a page, and goes on doing it: two elements in the place of each text node, with
 * the text between guillemets instead of in another language. It leaves alone what is said not to be translated.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const done = new WeakSet<Node>();
    const bare: string[] = [];
    Object.assign(window, { bareTexts: bare });
    const wrap = (text: Node) => {
      const around = text.parentElement;
      if (done.has(text) || !around || !text.nodeValue?.trim()) return;
      if (around.closest('script, style, textarea, noscript, [translate=no], code, font, svg')) return;
      if (Object.keys(text).some((key) => key.startsWith('__reactFiber'))) bare.push(around.outerHTML);
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      const translated = document.createTextNode(`«${text.nodeValue}»`);
      done.add(translated);
      inner.append(translated);
      outer.append(inner);
      around.replaceChild(outer, text);
    };
    const walk = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(wrap);
    };
    const follow = (records: MutationRecord[]) => {
      for (const { target, addedNodes, type } of records)
        for (const node of type === 'characterData' ? [target] : addedNodes)
          if (node instanceof Text) wrap(node);
          else walk(node);
    };
    document.documentElement.classList.add('translated-ltr');
    walk(document.body);
    new MutationObserver(follow).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
}

/**
 * What React had written, and would take away, apart from its element until a translation took it: everything is to be
 * written whole (web/src/jsx/whole-texts.ts).
 */
export const bareTexts = (page: Page): Promise<unknown> =>
  page.evaluate(() => Reflect.get(window, 'bareTexts'));
