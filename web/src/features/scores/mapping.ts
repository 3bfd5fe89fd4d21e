/** Which column of a pasted table holds which field. */
export const FIELDS = ['name', 'id', 'score', 'attendance', 'late', 'tieBreak'] as const;
export type Field = (typeof FIELDS)[number];

/** Columns from 0. `header` is the row with the labels; rows before it are not students. Undefined if there is none. */
export type Mapping = {
  header: number | undefined;
  columns: Partial<Record<Field, number>>;
  /** Set where the name is in two columns, as Moodle has it. */
  familyName?: number | undefined;
};
