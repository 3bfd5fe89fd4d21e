import { Slot } from '@radix-ui/react-slot';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

const buttonClass = cva(
  'inline-flex items-center justify-center gap-2 rounded-md font-semibold whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft aria-disabled:opacity-60',
  {
    variants: {
      look: {
        filled: 'bg-accent text-on-accent hover:bg-accent-strong',
        outline: 'border border-line-strong bg-surface text-ink hover:border-accent hover:text-accent',
        quiet: 'text-ink hover:bg-sunken',
        danger: 'bg-danger text-on-danger hover:opacity-90',
        'danger-quiet': 'text-danger hover:bg-danger-wash',
      },
      /** Small ones stand in rows of tables. */
      size: { normal: 'min-h-11 px-5 text-base', small: 'min-h-9 px-3 text-sm' },
    },
    defaultVariants: { look: 'filled', size: 'normal' },
  },
);

type Props = ComponentProps<'button'> & VariantProps<typeof buttonClass> & { asChild?: boolean };

/** A button, or with `asChild` a link that looks like one. */
export function Button({ asChild = false, look, size, className, type = 'button', ...props }: Props) {
  const classes = buttonClass({ look, size, className });
  if (asChild) return <Slot className={classes} {...props} />;
  return <button type={type === 'submit' ? 'submit' : 'button'} className={classes} {...props} />;
}
