import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { serverNow } from '../lib/server-time.ts';

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
export function useWholePaper(): [isWhole: boolean, printWhole: () => void] {
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
