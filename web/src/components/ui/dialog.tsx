import * as DialogPrimitive from '@radix-ui/react-dialog';
import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

const Dialog = DialogPrimitive.Root;

const DialogClose = DialogPrimitive.Close;

/** The dialog's box, centred over a backdrop. The caller sets the width. */
function DialogContent({ className, ...props }: ComponentProps<typeof DialogPrimitive.Content>) {
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay
        data-slot="dialog-overlay"
        className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.35)] animate-[fade-in_140ms_ease-out]"
      />
      <DialogPrimitive.Content
        data-slot="dialog-content"
        className={cn(
          'fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-6 outline-none animate-[fade-in_140ms_ease-out]',
          className,
        )}
        {...props}
      />
    </DialogPrimitive.Portal>
  );
}

function DialogHeader(props: ComponentProps<'div'>) {
  return <div data-slot="dialog-header" {...props} />;
}

function DialogTitle(props: ComponentProps<typeof DialogPrimitive.Title>) {
  return (
    <DialogPrimitive.Title
      data-slot="dialog-title"
      className="text-lg leading-snug font-semibold wrap-anywhere"
      {...props}
    />
  );
}

function DialogDescription(props: ComponentProps<typeof DialogPrimitive.Description>) {
  return (
    <DialogPrimitive.Description
      data-slot="dialog-description"
      className="mt-2 space-y-2 text-ink-soft wrap-anywhere"
      {...props}
    />
  );
}

function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-footer" className={cn('flex justify-end gap-2', className)} {...props} />;
}

export { Dialog, DialogClose, DialogContent, DialogDescription, DialogFooter, DialogHeader, DialogTitle };
