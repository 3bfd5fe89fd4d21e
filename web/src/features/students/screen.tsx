import { TabbedPage } from '../../components/layout/management-page.tsx';
import { ImportTab } from './import/import-tab.tsx';
import { ListTab } from './list/list-tab.tsx';
import { PicturesTab } from './pictures/pictures-tab.tsx';
import { SearchTab } from './search-tab.tsx';

const tabs = [
  { name: 'list', label: '목록', Panel: ListTab },
  { name: 'import', label: '데이터 입력', Panel: ImportTab, keeps: true },
  { name: 'pictures', label: '사진 업로드', Panel: PicturesTab },
  { name: 'search', label: '검색', Panel: SearchTab },
] as const;

export function StudentsScreen() {
  return <TabbedPage title="학생 관리" shared="class" tabs={tabs} />;
}
