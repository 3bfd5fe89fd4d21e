import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { usePublicContent } from '../content.ts';
import { QuestionAnswerList } from './lists.tsx';
import { Section } from './section.tsx';
import { dayText, isDayOver } from '../days.ts';
import { useSyncExternalStore } from 'react';

/** The open positions: the lab's needs, requirements, benefits and how to apply. */
export function JoinUs() {
  const locale = useLocale();
  const { join } = usePublicContent();
  const isOver = useIsOver(join?.until);
  if (!join) return null;
  const { heading, text, positions, steps, until, abroad } = join;
  return (
    <Section id="join" heading={m.menu_join()}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
        <h3 className="text-xl font-bold">{heading}</h3>
        {until !== '' && (
          <p className="font-semibold text-accent tabular-nums">
            {isOver ? m.join_closed() : m.join_until({ date: dayText(until, locale) })}
          </p>
        )}
      </div>
      <p className="mt-3 max-w-[40rem] text-lead">{text}</p>
      <dl className="mt-8 border-b border-line">
        {positions.map(({ who, brings, gets }) => (
          <div
            key={who}
            className="grid gap-x-8 gap-y-1 border-t border-line py-4 md:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)]"
          >
            <dt className="text-lg font-semibold">{who}</dt>
            <dd>
              <span className="block text-sm text-ink-soft">{m.join_brings()}</span>
              {brings}
            </dd>
            <dd>
              <span className="block text-sm text-ink-soft">{m.join_gets()}</span>
              {gets}
            </dd>
          </div>
        ))}
      </dl>
      <h4 className="mt-8 text-lg font-semibold">{m.join_how()}</h4>
      <ol className="mt-2 list-decimal space-y-1 pl-5 marker:font-semibold marker:text-accent">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {abroad.length > 0 && (
        <>
          <h4 className="mt-8 text-lg font-semibold">{m.join_abroad()}</h4>
          <QuestionAnswerList answers={abroad} className="mt-2 md:grid-cols-[11rem_minmax(0,1fr)]" />
        </>
      )}
      <p className="mt-5">
        <a
          href="#ways"
          className={
            isOver
              ? 'text-link inline-flex min-h-8 items-center font-semibold'
              : 'inline-flex min-h-11 items-center rounded-md bg-accent px-5 font-semibold text-on-accent hover:bg-accent-strong'
          }
        >
          {m.join_contact()}
        </a>
      </p>
    </Section>
  );
}

/** A small link on the first screen that leads to the open positions. */
export function OpenPositionsLink() {
  const { join } = usePublicContent();
  const isOver = useIsOver(join?.until);
  if (!join) return null;
  return (
    <p className="mt-4">
      <a
        href="#join"
        className="group inline-flex min-h-11 flex-wrap items-center gap-x-3 font-semibold text-accent hover:text-accent-strong"
      >
        <span aria-hidden className="size-2 rounded-full bg-accent" />
        <span className="underline decoration-1 underline-offset-[0.3em] group-hover:decoration-2">
          {isOver ? m.join_closed() : join.mark}
        </span>
      </a>
    </p>
  );
}

const never = () => () => undefined;

/** Whether the last day has passed. The build leaves out expired positions, but older pages have them. */
function useIsOver(until = ''): boolean {
  return useSyncExternalStore(
    never,
    () => until !== '' && isDayOver(until, Date.now()),
    () => false,
  );
}
