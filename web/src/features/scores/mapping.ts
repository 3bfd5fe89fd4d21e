/** What the columns of a pasted table hold. */
export const FIELDS = ['name', 'id', 'score', 'attendance', 'late', 'tieBreak'] as const;
export type Field = (typeof FIELDS)[number];

/** Columns from 0. `header` is the row that names them; rows before it are no students. Undefined: there is none. */
export type Mapping = { header: number | undefined; columns: Partial<Record<Field, number>> };
