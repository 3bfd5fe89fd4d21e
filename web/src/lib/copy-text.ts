import { showToast } from './toast-queue.ts';

/** Copies a text to the clipboard; false if the browser refuses. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The browser refused, or has no clipboard, as in some in-app browsers.
    return false;
  }
}

/** Copies a text and shows the result in a toast; `done` is the toast's text on success. */
export async function copyTextWithToast(text: string, done = '복사 완료'): Promise<void> {
  const isCopied = await copyToClipboard(text);
  showToast(isCopied ? done : '복사하지 못했습니다. 창을 클릭한 뒤 다시 시도하세요.');
}
