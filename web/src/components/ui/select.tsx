import * as SelectPrimitive from '@radix-ui/react-select';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { Check, ChevronDown } from './icons.tsx';

const Select = SelectPrimitive.Root;

const SelectValue = SelectPrimitive.Value;

const triggerVariants = cva(
  'inline-flex items-center justify-between gap-2 rounded-md border border-line-strong bg-surface whitespace-nowrap *:first:min-w-0 *:first:truncate hover:border-accent disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft',
  {
    variants: {
      size: {
        default: 'min-h-11 w-full px-3 text-base',
        sm: 'min-h-9 w-full px-2.5 text-sm pointer-coarse:min-h-11',
      },
    },
    defaultVariants: { size: 'default' },
  },
);

type TriggerProps = ComponentProps<typeof SelectPrimitive.Trigger> & VariantProps<typeof triggerVariants>;

function SelectTrigger({ size, children, ...props }: TriggerProps) {
  return (
    <SelectPrimitive.Trigger data-slot="select-trigger" className={triggerVariants({ size })} {...props}>
      {children}
      <SelectPrimitive.Icon>
        <ChevronDown size={15} />
      </SelectPrimitive.Icon>
    </SelectPrimitive.Trigger>
  );
}

function SelectContent({ children, ...props }: ComponentProps<typeof SelectPrimitive.Content>) {
  return (
    <SelectPrimitive.Portal>
      <SelectPrimitive.Content
        data-slot="select-content"
        position="popper"
        sideOffset={4}
        className="z-40 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-md border border-line-strong bg-surface shadow-lg"
        {...props}
      >
        <SelectPrimitive.Viewport className="p-1">{children}</SelectPrimitive.Viewport>
      </SelectPrimitive.Content>
    </SelectPrimitive.Portal>
  );
}

function SelectItem({ children, ...props }: ComponentProps<typeof SelectPrimitive.Item>) {
  return (
    <SelectPrimitive.Item
      data-slot="select-item"
      className="flex min-h-10 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 whitespace-nowrap outline-none data-highlighted:bg-accent data-highlighted:text-on-accent data-[state=checked]:font-semibold"
      {...props}
    >
      <SelectPrimitive.ItemText>{children}</SelectPrimitive.ItemText>
      <SelectPrimitive.ItemIndicator>
        <Check size={15} />
      </SelectPrimitive.ItemIndicator>
    </SelectPrimitive.Item>
  );
}

export { Select, SelectContent, SelectItem, SelectTrigger, SelectValue };
