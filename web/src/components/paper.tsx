import type { ReactNode } from 'react';
import { seoulDateTime } from '../lib/seoul-time.ts';
import { usePrintedAt } from './printing.ts';
import './paper.css';

type Props = {
  title: string;
  /** How much it is, and of what. */
  counted: string;
  children: ReactNode;
};

/** A list as it goes on paper: under its title, how much it is and when it was printed; nothing else of the page. */
export function Paper({ title, counted, children }: Props) {
  const printedAt = usePrintedAt();
  return (
    <div data-paper>
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
