import { Slot } from '@radix-ui/react-slot';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

const buttonClass = cva(
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-5 text-base font-semibold transition-colors disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft aria-disabled:opacity-60',
  {
    variants: {
      look: {
        filled: 'bg-accent text-on-accent hover:bg-accent-strong',
        outline: 'border border-line-strong bg-surface text-ink hover:border-accent hover:text-accent',
        quiet: 'text-ink hover:bg-sunken',
      },
    },
    defaultVariants: { look: 'filled' },
  },
);

type Props = ComponentProps<'button'> & VariantProps<typeof buttonClass> & { asChild?: boolean };

/** A button, or with `asChild` a link that looks like one. */
export function Button({ asChild = false, look, className, type = 'button', ...props }: Props) {
  const classes = buttonClass({ look, className });
  if (asChild) return <Slot className={classes} {...props} />;
  return <button type={type === 'submit' ? 'submit' : 'button'} className={classes} {...props} />;
}
