import { useNavigate, useSearch } from '@tanstack/react-router';
import { Activity, useState, type ComponentType, type ReactNode } from 'react';
import { ManagementPage } from './management-page.tsx';
import { TabbedPart } from './tabbed-part.tsx';

/** `Panel` is what the tab shows. With `keeps`, what was typed there is still there after a look at another tab. */
type Tab = { name: string; label: string; Panel: ComponentType; keeps?: true };
type Props = {
  title: string;
  /** Stands above the tabs. */
  head?: ReactNode;
  /** Name of what the address says of all tabs. */
  shared?: string;
  tabs: readonly [Tab, ...Tab[]];
};

/** A management screen of several tabs. The address says which one (`?tab=dues`); it says nothing of the first. */
export function TabbedPage({ title, head, shared, tabs }: Props) {
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
    <ManagementPage title={title}>
      {head}
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
