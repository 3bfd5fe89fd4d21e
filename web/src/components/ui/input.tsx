import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

type Props = Omit<ComponentProps<'input'>, 'size'> & {
  /** `sm` is for a row of small buttons. */
  size?: 'default' | 'sm';
};

function Input({ className, size = 'default', ...props }: Props) {
  return (
    <input
      data-slot="input"
      className={cn(
        'block w-full rounded-md border border-line-strong bg-surface px-3 text-ink read-only:border-line read-only:bg-sunken read-only:text-ink-soft aria-invalid:border-danger',
        size === 'sm' ? 'min-h-9 text-sm pointer-coarse:min-h-11' : 'min-h-11 text-base',
        className,
      )}
      {...props}
    />
  );
}

export { Input };
