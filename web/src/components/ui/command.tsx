// oxlint-disable jsx-a11y/prefer-tag-over-role -- no HTML tag is a list that a separate field controls
import * as DialogPrimitive from '@radix-ui/react-dialog';
import type { ComponentProps } from 'react';

type DialogProps = ComponentProps<typeof DialogPrimitive.Content> & {
  title: string;
  onOpenChange: (open: boolean) => void;
};

/** Placed near the top, so that the dialog does not move while the list grows. */
function CommandDialog({ title, onOpenChange, children, ...props }: DialogProps) {
  return (
    <DialogPrimitive.Root open onOpenChange={onOpenChange}>
      <DialogPrimitive.Portal>
        <DialogPrimitive.Overlay
          data-slot="dialog-overlay"
          className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.35)] animate-[fade-in_140ms_ease-out]"
        />
        <DialogPrimitive.Content
          data-slot="dialog-content"
          aria-describedby={undefined}
          className="fixed inset-x-0 top-0 z-40 mx-auto flex max-h-dvh max-w-[36rem] flex-col overflow-hidden border-line bg-surface outline-none animate-[fade-in_140ms_ease-out] sm:top-[10dvh] sm:max-h-[80dvh] sm:rounded-lg sm:border"
          {...props}
        >
          <DialogPrimitive.Title className="sr-only">{title}</DialogPrimitive.Title>
          {children}
        </DialogPrimitive.Content>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  );
}

/** The search field, which keeps the focus: `aria-activedescendant` is the item that Enter chooses. */
/** @param list id of the CommandList */
function CommandInput({ list, ...props }: ComponentProps<'input'>) {
  return (
    <input
      data-slot="command-input"
      role="combobox"
      aria-expanded
      aria-controls={list}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      className="min-h-14 w-full shrink-0 border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-ink-soft"
      {...props}
    />
  );
}

function CommandList(props: ComponentProps<'div'>) {
  return <div data-slot="command-list" role="listbox" {...props} />;
}

function CommandGroup({ heading, children, ...props }: ComponentProps<'div'> & { heading: string }) {
  return (
    <div data-slot="command-group" role="group" aria-label={heading} className="py-1" {...props}>
      <p aria-hidden className="px-3 py-1 text-xs font-semibold text-ink-soft">
        {heading}
      </p>
      {children}
    </div>
  );
}

function CommandItem({ isActive, ...props }: ComponentProps<'div'> & { isActive: boolean }) {
  return (
    <div
      data-slot="command-item"
      role="option"
      aria-selected={isActive}
      className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 rounded-md px-3 py-1 wrap-anywhere aria-selected:bg-accent-wash aria-selected:text-accent-strong"
      {...props}
    />
  );
}

export { CommandDialog, CommandGroup, CommandInput, CommandItem, CommandList };
