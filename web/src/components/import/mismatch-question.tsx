import { Button } from '../ui/button.tsx';

type Props = {
  question: string;
  /** What the file says, and other reasons to ask. */
  reasons: readonly string[];
  /** The label of the tick that answers. */
  answer: string;
  isSure: boolean;
  onSure: (isTicked: boolean) => void;
  /** What to choose instead. */
  other?: { label: string; onChoose: () => void } | undefined;
};

/** Asks whether the table belongs to what was chosen; nothing is stored before the answer. */
export function MismatchQuestion({ question, reasons, answer, isSure, onSure, other }: Props) {
  return (
    <div role="alert" className="mt-6 space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
      <p className="font-semibold wrap-anywhere">{question}</p>
      {reasons.map((reason) => (
        <p key={reason} className="wrap-anywhere tabular-nums">
          {reason}
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-11 items-center gap-2 wrap-anywhere">
          <input
            type="checkbox"
            checked={isSure}
            onChange={({ target }) => onSure(target.checked)}
            className="size-4 accent-(--accent)"
          />
          {answer}
        </label>
        {other && (
          <Button variant="outline" lines="more" onClick={other.onChoose}>
            {other.label}
          </Button>
        )}
      </div>
    </div>
  );
}
