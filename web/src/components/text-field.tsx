import { useId, type ComponentProps } from 'react';
import { Input } from './ui/input.tsx';
import { Label } from './ui/label.tsx';

type Props = Omit<ComponentProps<typeof Input>, 'id'> & {
  label: string;
  hint?: string;
  error?: string | undefined;
};

/** A labelled input. Screen readers announce its hint and its error together with the input. */
export function TextField({ label, hint, error, className, ...props }: Props) {
  const id = useId();
  return (
    <div className={className}>
      <Label htmlFor={id}>{label}</Label>
      <Input
        id={id}
        aria-describedby={hint === undefined && error === undefined ? undefined : `${id}-note`}
        aria-invalid={error === undefined ? undefined : true}
        className="mt-1.5"
        {...props}
      />
      {(error ?? hint) !== undefined && (
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={`mt-1.5 min-h-6 text-sm ${error === undefined ? 'text-ink-soft' : 'text-danger'}`}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
