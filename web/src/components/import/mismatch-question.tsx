import { Button } from '../ui/button.tsx';

type Props = {
  question: string;
  /** Sentences that say why the user is asked, such as the class that the file names. */
  reasons: readonly string[];
  /** The label of the checkbox by which the user confirms. */
  answer: string;
  isSure: boolean;
  onSure: (isTicked: boolean) => void;
  /** A button that chooses what the file names. */
  other?: { label: string; onChoose: () => void } | undefined;
};

/** Asks whether the table belongs to the chosen class or term; nothing is stored before the user confirms. */
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
