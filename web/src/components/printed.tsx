import { useEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { seoulDateTime } from '../lib/seoul-time.ts';
import { serverNow } from '../lib/server-time.ts';

/** When printing began, in milliseconds since 1970; undefined while nothing is printed. */
export function usePrintedAt(): number | undefined {
  const [printedAt, setPrintedAt] = useState<number>();
  useEffect(() => {
    // The browser prints the page as it is when this handler returns, so the update must be synchronous.
    const begin = () => flushSync(() => setPrintedAt(serverNow()));
    const end = () => setPrintedAt(undefined);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return printedAt;
}

/** Whether all rows are printed instead of the rows on screen, and a function that prints all rows. */
export function usePrintAllRows(): [isWhole: boolean, printWhole: () => void] {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    // On phones, print() returns before printing starts, so its return does not mark the end.
    const end = () => setWhole(false);
    addEventListener('afterprint', end);
    return () => removeEventListener('afterprint', end);
  }, []);
  const printWhole = () => {
    flushSync(() => setWhole(true));
    print();
  };
  return [isWhole, printWhole];
}

type Props = {
  title: string;
  /** The number of items, with their unit. */
  counted: string;
  children: ReactNode;
};

/** The printed form of a list: title, count and date; nothing else of the page is printed. */
export function PrintedList({ title, counted, children }: Props) {
  const printedAt = usePrintedAt();
  return (
    <div data-printed>
      {printedAt !== undefined && (
        <div className="mb-3 hidden tabular-nums print:block">
          <p className="text-lg font-bold wrap-anywhere">{title}</p>
          <p className="text-sm">
            {counted} · {seoulDateTime(printedAt).slice(0, -3)} 인쇄
          </p>
        </div>
      )}
      {children}
    </div>
  );
}
