import { useNavigate, useSearch } from '@tanstack/react-router';
import { Activity, useState, type ComponentType, type ReactNode } from 'react';
import { ManagementPage } from './management-page.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx';

/** `Panel` is the tab's content. With `keeps`, text typed in the tab stays while another tab is shown. */
type Tab = { name: string; label: string; Panel: ComponentType; keeps?: true };
type Props = {
  title: string;
  /** Rendered at the end of the heading's row. */
  beside?: ReactNode;
  /** Name of the search parameter that all tabs share. */
  shared?: string;
  tabs: readonly [Tab, ...Tab[]];
};

/** A management screen with several tabs. The address has the current tab (`?tab=dues`), except the first. */
export function TabbedPage({ title, beside, shared, tabs }: Props) {
  const { tab } = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  const [first] = tabs;
  const { name: current } = tabs.find(({ name }) => name === tab) ?? first;
  const [seen, setSeen] = useState([current]);
  if (!seen.includes(current)) setSeen([...seen, current]);
  const show = (name: string) =>
    void navigate({
      to: '.',
      search: (before) => ({
        ...(shared !== undefined && { [shared]: before[shared] }),
        ...(name !== first.name && { tab: name }),
      }),
      replace: true,
      resetScroll: false,
    });
  return (
    <ManagementPage title={title} beside={beside}>
      <TabbedPart label={title} tabs={tabs} current={current} onChange={show}>
        {tabs.map(({ name, Panel, keeps }) => {
          const isCurrent = name === current;
          if (!isCurrent && !(keeps && seen.includes(name))) return null;
          return (
            <Activity key={name} mode={isCurrent ? 'visible' : 'hidden'}>
              <Panel />
            </Activity>
          );
        })}
      </TabbedPart>
    </ManagementPage>
  );
}

type TabbedPartProps<Name> = {
  label: string;
  tabs: readonly { name: Name; label: string }[];
  current: Name;
  onChange: (name: Name) => void;
  /** The panel of the current tab. Components used by two tabs keep their state. */
  children: ReactNode;
};

/** A row of tabs above the panel of the selected one. */
export function TabbedPart<Name extends string>({
  label,
  tabs,
  current,
  onChange,
  children,
}: TabbedPartProps<Name>) {
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
