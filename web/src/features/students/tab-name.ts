export type StudentTab = 'list' | 'import' | 'pictures' | 'search';

/**
 * The tab that an address names; undefined for the first one and for none. Apart from the tabs' words, because the
 * router reads addresses from the first file on, which every visitor loads.
 */
export function readTab(value: unknown): Exclude<StudentTab, 'list'> | undefined {
  return value === 'import' || value === 'pictures' || value === 'search' ? value : undefined;
}
