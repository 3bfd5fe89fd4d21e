import * as SheetPrimitive from '@radix-ui/react-dialog';
import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

const Sheet = SheetPrimitive.Root;

const SheetClose = SheetPrimitive.Close;

/** Slides in from the left. The focus stays inside until it closes. */
function SheetContent({ className, ...props }: ComponentProps<typeof SheetPrimitive.Content>) {
  return (
    <SheetPrimitive.Portal>
      <SheetPrimitive.Overlay
        data-slot="sheet-overlay"
        className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.35)] data-[state=closed]:animate-[fade-out_140ms_ease-in] data-[state=open]:animate-[fade-in_180ms_ease-out]"
      />
      <SheetPrimitive.Content
        data-slot="sheet-content"
        className={cn(
          'fixed inset-y-0 left-0 z-40 flex w-[min(20rem,85vw)] flex-col overflow-y-auto border-r border-line bg-surface outline-none data-[state=closed]:animate-[slide-out_140ms_ease-in] data-[state=open]:animate-[slide-in_200ms_ease-out]',
          className,
        )}
        {...props}
      />
    </SheetPrimitive.Portal>
  );
}

function SheetHeader({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="sheet-header"
      className={cn(
        'flex h-(--bar-height) shrink-0 items-center justify-between border-b border-line pr-2 pl-6',
        className,
      )}
      {...props}
    />
  );
}

function SheetTitle({ className, ...props }: ComponentProps<typeof SheetPrimitive.Title>) {
  return (
    <SheetPrimitive.Title
      data-slot="sheet-title"
      className={cn('text-base font-semibold', className)}
      {...props}
    />
  );
}

export { Sheet, SheetClose, SheetContent, SheetHeader, SheetTitle };
