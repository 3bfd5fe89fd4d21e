import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

type Props = ComponentProps<'label'> & { htmlFor: string };

function Label({ className, htmlFor, ...props }: Props) {
  return (
    <label
      data-slot="label"
      htmlFor={htmlFor}
      className={cn('block text-sm font-semibold', className)}
      {...props}
    />
  );
}

export { Label };
