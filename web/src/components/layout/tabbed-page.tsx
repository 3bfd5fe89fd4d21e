import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ManagementPage } from './management-page.tsx';
import { TabbedPart } from './tabbed-part.tsx';

/** `Panel` is what the tab shows. */
type Tab = { name: string; label: string; Panel: ComponentType };
type Props = { title: string; tabs: readonly [Tab, ...Tab[]] };

/** A management screen of several tabs. The address says which one (`?tab=dues`); it says nothing of the first. */
export function TabbedPage({ title, tabs }: Props) {
  const { tab } = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  const [first] = tabs;
  const { name: current, Panel } = tabs.find(({ name }) => name === tab) ?? first;
  const show = (name: string) =>
    void navigate({
      to: '.',
      search: name === first.name ? {} : { tab: name },
      replace: true,
      resetScroll: false,
    });
  return (
    <ManagementPage title={title}>
      <TabbedPart label={title} tabs={tabs} current={current} onChange={show}>
        <Panel />
      </TabbedPart>
    </ManagementPage>
  );
}
