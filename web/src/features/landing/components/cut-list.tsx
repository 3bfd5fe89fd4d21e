import { useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * Content of unknown length in a box of fixed height, so that nothing below moves when it arrives. A button reveals the
 * rest.
 */
export function CutList({ moreLabel, children }: { moreLabel: string; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = content.current;
    if (!element || isWhole) return undefined;
    const observer = new ResizeObserver(() => {
      const space = element.parentElement?.clientHeight ?? 0;
      setIsCut(element.offsetHeight > space);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWhole]);
  const height = isWhole ? '' : 'h-[36rem] overflow-clip noscript:h-auto print:h-auto';
  return (
    <div className={`relative ${height}`}>
      <div ref={content}>{children}</div>
      {isCut && !isWhole && (
        <div className="absolute inset-x-0 bottom-0 flex h-40 items-end bg-linear-to-b from-transparent to-paper to-65% print:hidden">
          <button
            type="button"
            onClick={() => setIsWhole(true)}
            className="min-h-11 rounded-md border border-line-strong bg-surface px-5 font-semibold hover:border-accent hover:text-accent"
          >
            {moreLabel}
          </button>
        </div>
      )}
    </div>
  );
}
