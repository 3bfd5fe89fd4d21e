import type { StudentTab } from './tab-name.ts';

export const studentTabs: readonly { name: StudentTab; label: string }[] = [
  { name: 'list', label: '목록' },
  { name: 'import', label: '데이터 입력' },
  { name: 'pictures', label: '사진 업로드' },
  { name: 'search', label: '검색' },
];
