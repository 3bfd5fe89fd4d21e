/** What a page tells about its own loading; times in ms since navigation. */
export type Seen = {
  firstPaint: number;
  largestPaint: number;
  /** Tag, id and first words of the element of the largest paint. */
  largestElement: string;
  /** Sum of all layout shifts: an upper bound of CLS, and 0 when it is 0. */
  layoutShift: number;
  longTasks: { start: number; duration: number }[];
};

declare global {
  interface Window {
    benchSeen: Seen;
  }
}

/** Runs in the page before everything else; it must not refer to anything outside itself. */
export function observe(): void {
  const seen: Seen = {
    firstPaint: Number.NaN,
    largestPaint: Number.NaN,
    largestElement: 'none',
    layoutShift: 0,
    longTasks: [],
  };
  window.benchSeen = seen;
  const describe = (element: Element | null | undefined) => {
    if (!element) return 'an element that is gone';
    const id = element.closest('[id]')?.id;
    const words = element.textContent.trim().slice(0, 20);
    const picture = element instanceof HTMLImageElement ? element.currentSrc : words;
    return `<${element.localName}> in #${id ?? '–'}: ${picture}`;
  };
  const watch = (type: string, look: (entry: PerformanceEntry) => void) => {
    new PerformanceObserver((list) => list.getEntries().forEach(look)).observe({ type, buffered: true });
  };
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.firstPaint = entry.startTime;
  });
  watch('largest-contentful-paint', (entry) => {
    seen.largestPaint = entry.startTime;
    seen.largestElement = describe(
      'element' in entry && entry.element instanceof Element ? entry.element : null,
    );
  });
  watch('layout-shift', (entry) => {
    if ('value' in entry && typeof entry.value === 'number') seen.layoutShift += entry.value;
  });
  watch('longtask', ({ startTime, duration }) => seen.longTasks.push({ start: startTime, duration }));
}
