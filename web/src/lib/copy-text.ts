import { showToast } from './toast.ts';

/** Puts a text on the clipboard; false where the browser refuses. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused, or there is none, as in some in-app browsers.
    return false;
  }
}

/** Puts a text on the clipboard, and says whether that worked; `done` is what has been copied, if there is more to say. */
export async function copyText(text: string, done = '복사 완료'): Promise<void> {
  const isCopied = await toClipboard(text);
  showToast(isCopied ? done : '복사하지 못했습니다. 창을 클릭한 뒤 다시 시도하세요.');
}
