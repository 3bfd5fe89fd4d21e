import { useRef, useState, type FormEvent } from 'react';

/** Names of the fields that are edited as text. */
type TextFields<Draft> = {
  [Name in keyof Draft & string]: Draft[Name] extends string ? Name : never;
}[keyof Draft & string];

type Form<Draft> = {
  /** The initial draft. */
  start: () => Draft;
  /** Validation errors by field, in the order of the form. */
  problemsOf: (draft: Draft) => { [field: string]: string | undefined };
  /** Called with a draft that has no errors. */
  send: (draft: Draft) => void;
  /** While a submission is pending, nothing is sent. */
  isPending?: boolean;
};

/** State of a form. Errors appear after the first attempt to submit, which moves the focus to the first of them. */
export function useDraft<Draft extends object>({ start, problemsOf, send, isPending = false }: Form<Draft>) {
  const [draft, setDraft] = useState(start);
  const [areShown, setShown] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = problemsOf(draft);
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const [first] = Object.keys(problems);
    setShown(first !== undefined);
    if (first === undefined) send(draft);
    else focus(first);
  };
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    /** Starts over with another draft, whose errors are not shown yet. */
    restart: (next: Draft) => {
      setDraft(next);
      setShown(false);
    },
    problems,
    focus,
    form: { ref: form, noValidate: true, onSubmit },
    /** Props of the input with that name. */
    field: (name: TextFields<Draft>) => ({
      name,
      value: String(draft[name]),
      error: areShown ? problems[name] : undefined,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        setDraft((before) => ({ ...before, [name]: target.value })),
    }),
  };
}
