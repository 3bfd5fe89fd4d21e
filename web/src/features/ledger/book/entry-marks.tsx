import type { BookedEntry } from '#contract/ledger';
import { descriptionText, typeLabels, type dateMark } from '../labels.ts';

/** The description, which may be empty. */
export function Description({ text }: { text: string }) {
  const shown = descriptionText(text);
  if (shown === text) return shown;
  return (
    <span data-aside className="text-ink-soft">
      {shown}
    </span>
  );
}

export function DateMark({ mark }: { mark: ReturnType<typeof dateMark> }) {
  if (mark === undefined) return null;
  const colours = mark === '예정' ? 'bg-notice-wash text-notice' : 'bg-danger-wash text-danger';
  return (
    <span data-aside className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold ${colours}`}>
      {mark}
    </span>
  );
}

export function TypeBadge({ type }: Pick<BookedEntry, 'type'>) {
  const colours = type === 'deposit' ? 'bg-accent-wash text-accent' : 'bg-sunken text-ink-soft';
  return (
    <span data-aside className={`mr-1 rounded-sm px-1.5 py-0.5 text-xs font-semibold ${colours}`}>
      {typeLabels[type]}
    </span>
  );
}
