/** Shown when a list is empty. */
export function EmptyNote({ text }: { text: string }) {
  return <p className="rounded-md border border-dashed border-line px-5 py-4 text-ink-soft">{text}</p>;
}
