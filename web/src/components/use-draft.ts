import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useKept } from './use-kept.ts';

/** Names of the fields that are edited as text. */
type TextFields<Draft> = {
  [Name in keyof Draft & string]: Draft[Name] extends string ? Name : never;
}[keyof Draft & string];

type Form<Draft> = {
  /** Where the draft is kept, such as `courses/12`; a filter has none. The form needs it as its key if it can change. */
  place?: string;
  /** The initial draft. */
  start: () => Draft;
  /** Validation errors by field, in the order of the form. */
  problemsOf: (draft: Draft) => { [field: string]: string | undefined };
  /** Called with a draft that has no errors. When the promise is fulfilled, the draft is saved and no longer kept. */
  send: (draft: Draft) => Promise<unknown> | undefined;
  /** Called when the draft has been saved, unless the form is gone by then. */
  onSaved?: (draft: Draft) => void;
  /** While a submission is pending, nothing is sent. */
  isPending?: boolean;
};

/** State of a form. Errors appear after the first attempt to submit, which moves the focus to the first of them. */
export function useDraft<Draft extends object>({
  place,
  start,
  problemsOf,
  send,
  onSaved,
  isPending = false,
}: Form<Draft>) {
  const { value: draft, base, change, restart, rebase, saved, restored } = useKept(place, start);
  const [areShown, setShown] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const problems = problemsOf(draft);
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  const finish = async (each: Draft, sending: Promise<unknown>) => {
    try {
      await sending;
    } catch {
      // It is told where every failed call is.
      return;
    }
    saved(each);
    if (isThere.current) onSaved?.(each);
  };
  const submit = (each: Draft) => {
    if (isPending) return;
    const [first] = Object.keys(problemsOf(each));
    setShown(first !== undefined);
    if (first !== undefined) {
      focus(first);
      return;
    }
    const sending = send(each);
    if (sending) void finish(each, sending);
  };
  return {
    draft,
    /** What the draft began as. */
    base,
    change: (part: Partial<Draft>) => change((before) => ({ ...before, ...part })),
    /** Starts over with another draft, whose errors are not shown yet. */
    restart: (next: Draft) => {
      restart(next);
      setShown(false);
    },
    /** Goes on with a draft made from another start, and sends it. */
    resend: (nextBase: Draft, next: Draft) => {
      rebase(nextBase, next);
      submit(next);
    },
    problems,
    /** Whether the errors are shown yet. */
    areShown,
    focus,
    /** For `DraftNote`. */
    restored: {
      ...restored,
      onDiscard: () => {
        restored.onDiscard();
        setShown(false);
      },
    },
    form: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        submit(draft);
      },
    },
    /** Props of the input with that name. */
    field: (name: TextFields<Draft>) => ({
      name,
      value: String(draft[name]),
      error: areShown ? problems[name] : undefined,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        change((before) => ({ ...before, [name]: target.value })),
    }),
  };
}
