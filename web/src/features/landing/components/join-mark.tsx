import { joinUs } from 'virtual:lab-content';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { useIsOver } from '../use-is-over.ts';

/** A quiet line on the first screen that leads to the invitation. */
export function JoinMark() {
  const locale = useLocale();
  const isOver = useIsOver(joinUs?.until);
  if (!joinUs) return null;
  return (
    <p className="mt-4">
      <a
        href="#join"
        className="group inline-flex min-h-11 flex-wrap items-center gap-x-3 font-semibold text-accent hover:text-accent-strong"
      >
        <span aria-hidden className="size-2 rounded-full bg-accent" />
        <span className="underline decoration-1 underline-offset-[0.3em] group-hover:decoration-2">
          {isOver ? m.join_closed() : joinUs.mark[locale]}
        </span>
      </a>
    </p>
  );
}
