import { Slot } from '@radix-ui/react-slot';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

const buttonVariants = cva(
  'inline-flex items-center justify-center gap-2 rounded-md font-semibold transition-colors disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft aria-disabled:opacity-60',
  {
    variants: {
      variant: {
        default: 'bg-accent text-on-accent hover:bg-accent-strong',
        outline:
          'border border-line-strong bg-surface text-ink hover:border-accent hover:text-accent aria-pressed:border-accent aria-pressed:bg-accent-wash',
        ghost: 'text-ink hover:bg-sunken',
        destructive: 'bg-danger text-on-danger hover:opacity-90',
        'destructive-ghost': 'text-danger hover:bg-danger-wash',
      },
      /** `sm` is for table rows; on touch screens it is as tall as a finger needs. */
      size: { default: 'min-h-11 px-5 text-base', sm: 'min-h-9 px-3 text-sm pointer-coarse:min-h-11' },
      /** `more` is for text of unknown length, in a button as wide as its container. */
      lines: { one: 'whitespace-nowrap', more: 'flex-wrap gap-y-1 py-2 text-left' },
    },
    defaultVariants: { variant: 'default', size: 'default', lines: 'one' },
  },
);

type Props = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

/** A button, or with `asChild` a link that looks like a button. */
function Button({ asChild = false, variant, size, lines, className, type = 'button', ...props }: Props) {
  const classes = cn(buttonVariants({ variant, size, lines }), className);
  if (asChild) return <Slot data-slot="button" className={classes} {...props} />;
  return (
    <button
      data-slot="button"
      type={type === 'submit' ? 'submit' : 'button'}
      className={classes}
      {...props}
    />
  );
}

export { Button };
