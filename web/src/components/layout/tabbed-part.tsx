import type { ReactNode } from 'react';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx';

type Props<Name> = {
  label: string;
  tabs: readonly { name: Name; label: string }[];
  current: Name;
  onChange: (name: Name) => void;
  /** The panel of the current tab. Parts that two tabs share keep their state. */
  children: ReactNode;
};

/** A row of tabs above the panel of the selected one. */
export function TabbedPart<Name extends string>({ label, tabs, current, onChange, children }: Props<Name>) {
  const show = (value: string) => {
    const chosen = tabs.find(({ name }) => name === value);
    if (chosen) onChange(chosen.name);
  };
  return (
    <Tabs value={current} onValueChange={show}>
      <TabsList aria-label={label}>
        {tabs.map((tab) => (
          <TabsTrigger key={tab.name} value={tab.name}>
            {tab.label}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value={current}>{children}</TabsContent>
    </Tabs>
  );
}
