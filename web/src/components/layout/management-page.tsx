import { type ReactNode, Activity, useState, type ComponentType } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { labContent } from '../../lib/lab-content.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx';

type Props = {
  title: string;
  lead?: string;
  narrow?: boolean;
  /** Rendered at the end of the heading's row. */
  beside?: ReactNode;
  /** On wide screens the heading's row stays visible while the page scrolls. */
  isSticky?: boolean;
  children: ReactNode;
};

/** Frame of a management screen. Always in Korean, whatever the menu's language. */
export function ManagementPage({ title, lead, narrow = false, beside, isSticky = false, children }: Props) {
  usePageTitle(title, labContent('ko').name);
  return (
    <div lang="ko" className="page-column pt-6 pb-16">
      <div className={narrow ? 'max-w-md' : undefined}>
        <div
          className={`flex flex-wrap items-end justify-between gap-x-6 gap-y-2 ${isSticky ? 'top-(--bar-height) z-20 bg-paper py-2 lg:sticky' : ''}`}
        >
          <h1 className="text-heading font-bold">{title}</h1>
          {beside}
        </div>
        {lead !== undefined && <p className="mt-1 text-ink-soft">{lead}</p>}
        <div className="mt-5">{children}</div>
      </div>
    </div>
  );
}

/** `Panel` is the tab's content. With `keeps`, text typed in the tab stays while another tab is shown. */
type Tab = { name: string; label: string; Panel: ComponentType; keeps?: true };
type TabbedPageProps = {
  title: string;
  /** Rendered at the end of the heading's row. */
  beside?: ReactNode;
  /** Name of the search parameter that all tabs share. */
  shared?: string;
  tabs: readonly [Tab, ...Tab[]];
};

/** A management screen with several tabs. The address has the current tab (`?tab=dues`), except the first. */
export function TabbedPage({ title, beside, shared, tabs }: TabbedPageProps) {
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
  /** The panel of the current tab. A component that two tabs have in common keeps its state. */
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
