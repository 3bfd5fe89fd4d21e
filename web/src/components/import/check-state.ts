/** What a person has said about a table that was read. It is kept as a draft, so it is plain JSON. */
export type CheckState = {
  /** The mark of its table: of another table it says nothing. */
  of: string;
  /** The columns as chosen by hand; null as found. */
  columns: { fields: Readonly<Record<number, string | null>>; isHeaderless: boolean } | null;
  isWithoutMissing: boolean;
  /** Corrected cells by line. */
  corrections: Readonly<Record<number, Correction['cells']>>;
  /** Rows that were ticked or left out, by line. */
  ticks: Readonly<Record<number, boolean>>;
  /** What a feature has ticked besides rows, by names of its own. */
  extras: Readonly<Record<string, boolean>>;
};

/** Cells of a line as they were corrected. */
export type Correction = { line: number; cells: Readonly<Partial<Record<string, string>>> };

export const UNCHECKED: CheckState = {
  of: '',
  columns: null,
  isWithoutMissing: false,
  corrections: {},
  ticks: {},
  extras: {},
};

/** The state of the table with that mark. */
export const checkOf = (state: CheckState, mark: string): CheckState =>
  state.of === mark ? state : { ...UNCHECKED, of: mark };

/** The next state; as good as none when nothing is left of what was said. */
export function nextCheck(
  state: CheckState,
  mark: string,
  step: (state: CheckState) => CheckState,
): CheckState {
  const next = step(checkOf(state, mark));
  return JSON.stringify({ ...next, of: '' }) === JSON.stringify(UNCHECKED) ? UNCHECKED : next;
}
