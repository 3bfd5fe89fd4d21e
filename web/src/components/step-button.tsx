import { Button } from './ui/button.tsx';

type StepProps = {
  label: string;
  /** What is undone or done again; without it there is nothing to do. */
  step: string | undefined;
  onStep: () => void;
};

/** Undoes a step or does it again. Keeps the focus when there is nothing left to do. */
export function StepButton({ label, step, onStep }: StepProps) {
  return (
    <Button
      variant="outline"
      size="sm"
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
