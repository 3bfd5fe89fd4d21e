import { useId, type ComponentProps } from 'react';

type Props = Omit<ComponentProps<'input'>, 'id'> & {
  label: string;
  hint?: string;
  error?: string | undefined;
};

/** A labelled input; hint and error are read with it. */
export function TextField({ label, hint, error, className, ...props }: Props) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={hint === undefined && error === undefined ? undefined : `${id}-note`}
        aria-invalid={error === undefined ? undefined : true}
        className="mt-1.5 block min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink read-only:border-line read-only:bg-sunken read-only:text-ink-soft aria-invalid:border-danger"
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
