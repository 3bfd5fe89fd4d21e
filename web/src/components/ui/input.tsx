import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      data-slot="input"
      className={cn(
        'block min-h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink read-only:border-line read-only:bg-sunken read-only:text-ink-soft aria-invalid:border-danger',
        className,
      )}
      {...props}
    />
  );
}

export { Input };
