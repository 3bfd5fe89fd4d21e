export type LedgerTab = 'book' | 'import' | 'report' | 'dues';

/**
 * The tab that an address names; undefined for the first one and for none. Apart from the tabs' words, because the
 * router reads addresses from the first file on, which every visitor loads.
 */
export function readTab(value: unknown): Exclude<LedgerTab, 'book'> | undefined {
  return value === 'import' || value === 'report' || value === 'dues' ? value : undefined;
}
