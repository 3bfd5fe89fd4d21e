const AT_THE_LATEST_MS = 300;

/** Resolves when the browser has painted and is idle. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: AT_THE_LATEST_MS });
    else setTimeout(resolve);
  });
}
