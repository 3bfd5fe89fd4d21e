import type { BrowserContext } from 'playwright-core';

/**
 * Deletes the functions that the oldest supported browsers lack (`browserslist`: Chromium 111, Firefox 115,
 * Safari 16.4), in pages and workers. Runs in the browser, so it must not use variables from outside.
 */
function forget(): void {
  const newer: [object | undefined, string[]][] = [
    [Promise, ['withResolvers', 'try']],
    [Map, ['groupBy']],
    [Object, ['groupBy']],
    [Array, ['fromAsync']],
    [RegExp, ['escape']],
    [Error, ['isError']],
    [URL, ['canParse', 'parse']],
    [AbortSignal, ['any']],
    [Intl, ['Segmenter', 'DurationFormat']],
    [ReadableStream, ['from']],
    [ReadableStream.prototype, ['values']],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [ArrayBuffer.prototype, ['transfer', 'resize']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Uint8Array.prototype, ['toBase64', 'toHex']],
    [
      Set.prototype,
      'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom'.split(' '),
    ],
    [
      Object.getPrototypeOf(Object.getPrototypeOf([].values())),
      'map filter take drop flatMap reduce toArray forEach some every find'.split(' '),
    ],
    [
      globalThis,
      ['Iterator', 'requestIdleCallback', 'navigation', 'scheduler', 'CookieStore', 'cookieStore'],
    ],
    [Reflect.get(globalThis, 'HTMLButtonElement')?.prototype, ['commandForElement', 'command']],
    [Reflect.get(globalThis, 'HTMLDialogElement')?.prototype, ['closedBy', 'requestClose']],
    [Reflect.get(globalThis, 'Element')?.prototype, ['checkVisibility', 'moveBefore', 'setHTMLUnsafe']],
    [Reflect.get(globalThis, 'Document')?.prototype, ['startViewTransition', 'caretPositionFromPoint']],
    [Reflect.get(globalThis, 'HTMLElement')?.prototype, ['showPopover', 'togglePopover', 'popover']],
  ];
  for (const [holder, names] of newer)
    for (const name of names) if (holder) Reflect.deleteProperty(holder, name);
}

/** Makes the browser behave like the oldest supported browsers. */
export async function asOldest(context: BrowserContext): Promise<void> {
  await context.addInitScript(forget);
  // Workers do not run init scripts.
  await context.route('**/assets/*worker*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `(${forget.toString()})();${await answer.text()}` });
  });
}
