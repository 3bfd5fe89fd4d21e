import { Slot } from '@radix-ui/react-slot';
import type { ComponentProps } from 'react';
import { cn } from '#lib/cn';

/** Stands at the left below the top bar from 1024 px on, and is not there below. Never printed. */
function Sidebar({ className, ...props }: ComponentProps<'nav'>) {
  return (
    <nav
      data-slot="sidebar"
      className={cn(
        'fixed top-(--bar-height) bottom-0 left-0 z-20 hidden w-(--sidebar-width) flex-col border-r border-line bg-paper lg:flex print:hidden',
        className,
      )}
      {...props}
    />
  );
}

function SidebarContent({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="sidebar-content"
      className={cn('flex min-h-0 grow flex-col gap-4 overflow-y-auto p-3', className)}
      {...props}
    />
  );
}

function SidebarFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="sidebar-footer"
      className={cn('shrink-0 border-t border-line p-3', className)}
      {...props}
    />
  );
}

function SidebarGroup({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="sidebar-group" className={cn('min-w-0', className)} {...props} />;
}

function SidebarGroupLabel({ className, ...props }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="sidebar-group-label"
      className={cn('px-3 pb-1 text-xs font-semibold text-ink-soft', className)}
      {...props}
    />
  );
}

function SidebarMenu({ className, ...props }: ComponentProps<'ul'>) {
  return <ul data-slot="sidebar-menu" className={cn('space-y-0.5', className)} {...props} />;
}

function SidebarMenuItem(props: ComponentProps<'li'>) {
  return <li data-slot="sidebar-menu-item" {...props} />;
}

type ButtonProps = ComponentProps<'button'> & { asChild?: boolean; isActive?: boolean };

function SidebarMenuButton({ asChild = false, isActive = false, className, ...props }: ButtonProps) {
  const Part = asChild ? Slot : 'button';
  return (
    <Part
      data-slot="sidebar-menu-button"
      data-active={isActive}
      className={cn(
        'flex min-h-10 w-full items-center justify-between rounded-md px-3 py-1 text-left text-sm wrap-anywhere hover:bg-sunken hover:text-accent focus-visible:outline-offset-[-2px] data-[active=true]:bg-accent-wash data-[active=true]:font-semibold data-[active=true]:text-accent-strong',
        className,
      )}
      {...props}
    />
  );
}

/** Below an item, what it leads on to. */
function SidebarMenuSub({ className, ...props }: ComponentProps<'ul'>) {
  return (
    <ul data-slot="sidebar-menu-sub" className={cn('ml-3 border-l border-line pl-2', className)} {...props} />
  );
}

export {
  Sidebar,
  SidebarContent,
  SidebarFooter,
  SidebarGroup,
  SidebarGroupLabel,
  SidebarMenu,
  SidebarMenuButton,
  SidebarMenuItem,
  SidebarMenuSub,
};
