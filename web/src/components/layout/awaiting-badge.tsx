import { useAwaitingOn } from '../../lib/awaiting.ts';
import type { GuardedPage } from '../../lib/page-access.ts';

type Props = {
  page: GuardedPage;
  /** Shows the words, where there is room for them. */
  inWords?: boolean;
};

/** How much waits on a screen, beside its name. Screen readers hear what it is. */
export function AwaitingBadge({ page, inWords = false }: Props) {
  const waiting = useAwaitingOn(page);
  if (!waiting) return null;
  return (
    <span
      lang="ko"
      title={inWords ? undefined : waiting.words}
      data-slot="awaiting"
      className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs leading-normal font-semibold text-notice tabular-nums"
    >
      {!inWords && <span aria-hidden>{waiting.count > 99 ? '99+' : waiting.count}</span>}
      <span className={inWords ? undefined : 'sr-only'}>{waiting.words}</span>
    </span>
  );
}
