import { useEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { seoulDateTime } from '../lib/seoul-time.ts';
import { serverNow } from '../lib/server-time.ts';
import './printed.css';

/** When printing began, in milliseconds; undefined while nothing is printed. */
export function usePrintedAt(): number | undefined {
  const [printedAt, setPrintedAt] = useState<number>();
  useEffect(() => {
    // The browser prints the page as it is when this handler returns.
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

/** Whether all rows of a list are being printed, not just those on screen, and the call that prints them. */
export function usePrintedWhole(): [isWhole: boolean, printWhole: () => void] {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    // On phones print() returns before anything is printed.
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
  /** How much it is, and of what. */
  counted: string;
  children: ReactNode;
};

/** A list as it is printed: under its title, how much it is and when that was; nothing else of the page. */
export function Printed({ title, counted, children }: Props) {
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
