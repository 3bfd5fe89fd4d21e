import { Slot } from '@radix-ui/react-slot';
import type { ComponentProps } from 'react';

/** Fills the element that the page frame reserves for the side bar (base.css). */
function Sidebar(props: ComponentProps<'nav'>) {
  return <nav data-slot="sidebar" className="flex h-full flex-col" {...props} />;
}

function SidebarContent(props: ComponentProps<'div'>) {
  return (
    <div
      data-slot="sidebar-content"
      className="flex min-h-0 grow flex-col gap-4 overflow-y-auto p-3"
      {...props}
    />
  );
}

function SidebarFooter(props: ComponentProps<'div'>) {
  return <div data-slot="sidebar-footer" className="shrink-0 border-t border-line p-3" {...props} />;
}

function SidebarGroup(props: ComponentProps<'div'>) {
  return <div data-slot="sidebar-group" className="min-w-0" {...props} />;
}

function SidebarGroupLabel(props: ComponentProps<'p'>) {
  return (
    <p data-slot="sidebar-group-label" className="px-3 pb-1 text-xs font-semibold text-ink-soft" {...props} />
  );
}

function SidebarMenu(props: ComponentProps<'ul'>) {
  return <ul data-slot="sidebar-menu" className="space-y-0.5" {...props} />;
}

function SidebarMenuItem(props: ComponentProps<'li'>) {
  return <li data-slot="sidebar-menu-item" {...props} />;
}

type ButtonProps = ComponentProps<'button'> & { asChild?: boolean; isActive?: boolean };

function SidebarMenuButton({ asChild = false, isActive = false, ...props }: ButtonProps) {
  const Part = asChild ? Slot : 'button';
  return (
    <Part
      data-slot="sidebar-menu-button"
      data-active={isActive}
      className="flex min-h-9 w-full items-center gap-2.5 pointer-coarse:min-h-11 rounded-md px-3 py-1 text-left text-sm wrap-anywhere hover:bg-sunken hover:text-accent focus-visible:outline-offset-[-2px] data-[active=true]:bg-accent-wash data-[active=true]:font-semibold data-[active=true]:text-accent-strong"
      {...props}
    />
  );
}

function SidebarMenuSub(props: ComponentProps<'ul'>) {
  return <ul data-slot="sidebar-menu-sub" className="ml-3 border-l border-line pl-2" {...props} />;
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
