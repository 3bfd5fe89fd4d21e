import { useId, type ReactNode } from 'react';

/** A group of settings under a heading. */
export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 font-bold">
        {title}
      </h2>
      {note !== undefined && <p className="mb-2 text-sm text-ink-soft">{note}</p>}
      {children}
    </section>
  );
}
