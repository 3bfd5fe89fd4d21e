import { createContext, use, useId, useMemo, type ComponentProps, type KeyboardEvent } from 'react';

type Shared = { id: string; value: string; onValueChange: (value: string) => void };

const TabsContext = createContext<Shared | undefined>(undefined);

function useTabs(): Shared {
  const tabs = use(TabsContext);
  if (!tabs) throw new Error('parts of Tabs must be inside of Tabs');
  return tabs;
}

type TabsProps = ComponentProps<'div'> & Pick<Shared, 'value' | 'onValueChange'>;

/** Arrow keys, Home and End move between tabs. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
function Tabs({ value, onValueChange, ...props }: TabsProps) {
  const id = useId();
  const shared = useMemo(() => ({ id, value, onValueChange }), [id, value, onValueChange]);
  return (
    <TabsContext value={shared}>
      <div data-slot="tabs" {...props} />
    </TabsContext>
  );
}

function TabsList(props: ComponentProps<'div'>) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const targets: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: -1,
    };
    const target = tabs.at(targets[event.key] ?? Infinity);
    if (!target) return;
    event.preventDefault();
    target.click();
    target.focus();
  };
  return (
    <div
      data-slot="tabs-list"
      role="tablist"
      tabIndex={-1}
      onKeyDown={move}
      className="flex overflow-x-auto overflow-y-hidden border-b border-line"
      {...props}
    />
  );
}

function TabsTrigger({ value, ...props }: ComponentProps<'button'> & { value: string }) {
  const { id, value: current, onValueChange } = useTabs();
  return (
    <button
      data-slot="tabs-trigger"
      id={`${id}-${value}`}
      type="button"
      role="tab"
      aria-selected={value === current}
      aria-controls={`${id}-panel`}
      tabIndex={value === current ? 0 : -1}
      onClick={() => onValueChange(value)}
      className="-mb-px min-h-11 border-b-2 border-transparent px-3 font-semibold sm:px-4 whitespace-nowrap text-ink-soft outline-offset-[-4px] hover:text-ink aria-selected:border-accent aria-selected:text-accent"
      {...props}
    />
  );
}

/** A panel, rendered only while its tab is selected. */
function TabsContent({ value, ...props }: ComponentProps<'div'> & { value: string }) {
  const { id, value: current } = useTabs();
  if (value !== current) return null;
  return (
    <div
      data-slot="tabs-content"
      id={`${id}-panel`}
      role="tabpanel"
      aria-labelledby={`${id}-${value}`}
      className="pt-6"
      {...props}
    />
  );
}

export { Tabs, TabsContent, TabsList, TabsTrigger };
