import { m } from '../paraglide/messages.js';
import { useLocale } from '../lib/locale.ts';
import { Button } from './ui/button.tsx';

export function EmptyPart({ text }: { text: string }) {
  return <p className="rounded-md border border-dashed border-line px-5 py-4 text-ink-soft">{text}</p>;
}

/** A message that a part could not be loaded, with a button to try again. */
export function FailedPart({ text, onRetry }: { text: string; onRetry: () => void }) {
  useLocale();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-5 py-4">
      <p>{text}</p>
      <Button variant="outline" onClick={onRetry}>
        {m.retry()}
      </Button>
    </div>
  );
}

type MissingProps = {
  /** The query that loads the part. */
  of: { isPending: boolean; refetch: () => unknown };
  /** The message when the part could not be loaded. */
  text: string;
  rows: number;
  className: string;
};

/** Shown in place of a part without data: grey bars while loading, a message after a failure. */
export function MissingPart({ of: { isPending, refetch }, text, rows, className }: MissingProps) {
  if (isPending) return <LoadingPart rows={rows} className={className} />;
  return <FailedPart text={text} onRetry={() => void refetch()} />;
}

/** Grey bars about the size of the expected content, so that the layout does not shift. */
export function LoadingPart({ rows, className = 'h-6' }: { rows: number; className?: string }) {
  useLocale();
  return (
    <div className="space-y-4">
      <output className="sr-only">{m.loading()}</output>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden className={`animate-pulse rounded-md bg-sunken ${className}`} />
      ))}
    </div>
  );
}
