export type StudentTab = 'list' | 'import' | 'pictures' | 'search';

export const studentTabs: readonly { name: StudentTab; label: string }[] = [
  { name: 'list', label: '목록' },
  { name: 'import', label: '데이터 입력' },
  { name: 'pictures', label: '사진 업로드' },
  { name: 'search', label: '검색' },
];

/** The tab that an address names; undefined for the first one and for none. */
export function readTab(value: unknown): Exclude<StudentTab, 'list'> | undefined {
  return value === 'import' || value === 'pictures' || value === 'search' ? value : undefined;
}
