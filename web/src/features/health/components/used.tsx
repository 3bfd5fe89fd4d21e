import { Meter } from './meter.tsx';

type UsedProps = {
  label: string;
  value: string;
  used: number;
  /** Null where there is none: an empty bar would look like one that is not known. */
  limit: number | null;
  note?: string | undefined;
};

/** How much of a limit is used, where there is one. */
export function Used({ label, value, used, limit, note }: UsedProps) {
  if (limit !== null) return <Meter label={label} value={value} share={used / limit} note={note} />;
  return (
    <div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 font-semibold wrap-anywhere">{label}</span>
        <span className="text-sm text-ink-soft tabular-nums">{value}</span>
      </p>
      {note !== undefined && <p className="mt-1 text-sm text-ink-soft tabular-nums">{note}</p>}
    </div>
  );
}
