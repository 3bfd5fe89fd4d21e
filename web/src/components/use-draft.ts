import { useRef, useState, type FormEvent } from 'react';

/** Names of the fields that are typed as text. */
type TextFields<Draft> = {
  [Name in keyof Draft & string]: Draft[Name] extends string ? Name : never;
}[keyof Draft & string];

type Form<Draft> = {
  /** What it starts with. */
  start: () => Draft;
  /** What keeps a draft from being sent, by field, in the order of the form. */
  problemsOf: (draft: Draft) => { [field: string]: string | undefined };
  /** Called with a draft that has no problems. */
  send: (draft: Draft) => void;
  /** While what was sent is on its way nothing is sent. */
  isPending?: boolean;
};

/** What stands in a form. Its problems show once somebody has tried to send it; the first of them gets the focus. */
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
    /** Goes on with another draft, whose problems nobody has seen yet. */
    restart: (next: Draft) => {
      setDraft(next);
      setShown(false);
    },
    problems,
    focus,
    form: { ref: form, noValidate: true, onSubmit },
    /** What an input of that name needs. */
    field: (name: TextFields<Draft>) => ({
      name,
      value: String(draft[name]),
      error: areShown ? problems[name] : undefined,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        setDraft((before) => ({ ...before, [name]: target.value })),
    }),
  };
}
