import { useAwaitingOn } from '../../lib/awaiting.ts';
import type { GuardedPage } from '../../lib/page-access.ts';

/** How much waits on a screen, beside its name. Screen readers hear what it is. */
export function AwaitingBadge({ page }: { page: GuardedPage }) {
  const waiting = useAwaitingOn(page);
  if (!waiting) return null;
  return (
    <span
      lang="ko"
      title={waiting.words}
      data-slot="awaiting"
      className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs leading-normal font-semibold text-notice tabular-nums"
    >
      <span aria-hidden>{waiting.count > 99 ? '99+' : waiting.count}</span>
      <span className="sr-only">{waiting.words}</span>
    </span>
  );
}
