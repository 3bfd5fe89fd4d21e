import type { Page } from 'playwright-core';

/**
 * Changes a page as Chrome's translation does, also later texts: replaces each text node with two elements,
 * which have the text in guillemets instead of another language. Leaves out elements with `translate=no`.
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
 * Text nodes that React manages separately and that the translation has replaced: React would fail to remove
 * them. There must be none (web/src/jsx/jsx-runtime.ts).
 */
export const bareTexts = (page: Page): Promise<unknown> =>
  page.evaluate(() => Reflect.get(window, 'bareTexts'));
