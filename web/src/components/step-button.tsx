import { Button } from './ui/button.tsx';

type StepProps = {
  label: string;
  /** Name of the step to undo or redo; undefined if there is none. */
  step: string | undefined;
  onStep: () => void;
};

/** An undo or redo button. Keeps the focus when no step is left. */
export function StepButton({ label, step, onStep }: StepProps) {
  return (
    <Button
      variant="outline"
      size="sm"
      className="max-sm:px-2"
      aria-disabled={step === undefined}
      title={step}
      onClick={() => {
        if (step !== undefined) onStep();
      }}
    >
      {label}
    </Button>
  );
}
