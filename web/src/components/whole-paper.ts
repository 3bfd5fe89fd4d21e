import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

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
