type Props = {
  label: string;
  /** The value as text, at the right end of the line. */
  value: string;
  /** Share in use: 0 to 1, or more beyond the limit. Null if unknown. */
  share: number | null;
  /** Whether data may be lost when the value exceeds the limit. */
  isDanger?: boolean;
  note?: string | undefined;
};

/** A labelled bar that shows which share of a limit is used. The text says everything that the bar shows. */
export function Meter({ label, value, share, note, isDanger = true }: Props) {
  const isOver = share !== null && share > 1;
  const [text, bar] = isDanger ? ['text-danger', 'bg-danger'] : ['text-notice', 'bg-notice'];
  return (
    <div data-over={isOver} data-known={share !== null}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 font-semibold wrap-anywhere">{label}</span>
        <span className={`text-sm tabular-nums ${isOver ? `font-semibold ${text}` : 'text-ink-soft'}`}>
          {value}
        </span>
      </p>
      <div
        aria-hidden
        className={`mt-1 h-2 overflow-hidden rounded-full ${share === null ? 'border border-dashed border-line-strong' : 'bg-sunken'}`}
      >
        <div
          className={`h-full rounded-full ${isOver ? bar : 'bg-accent'}`}
          style={{ width: `${Math.min(1, share ?? 0) * 100}%` }}
        />
      </div>
      {note !== undefined && <p className="mt-1 text-sm text-ink-soft tabular-nums">{note}</p>}
    </div>
  );
}
