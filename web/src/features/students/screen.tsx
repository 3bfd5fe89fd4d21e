import { ManagementPage } from '../../components/layout/management-page.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { ImportTab } from './components/import-tab.tsx';
import { ListTab } from './components/list-tab.tsx';
import { PicturesTab } from './components/pictures-tab.tsx';
import { SearchTab } from './components/search-tab.tsx';
import type { StudentTab } from './tab-name.ts';
import { studentTabs } from './tabs.ts';

type Props = { tab: StudentTab; onTabChange: (tab: StudentTab) => void };

export function StudentsScreen({ tab, onTabChange }: Props) {
  return (
    <ManagementPage title="학생 관리">
      <Tabs<StudentTab> label="학생 관리" tabs={studentTabs} current={tab} onChange={onTabChange}>
        {tab === 'list' && <ListTab />}
        {tab === 'import' && <ImportTab />}
        {tab === 'pictures' && <PicturesTab />}
        {tab === 'search' && <SearchTab />}
      </Tabs>
    </ManagementPage>
  );
}
