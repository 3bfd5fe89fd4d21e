import type * as z from 'zod';
import { ApiError } from './api-error.ts';

/* One record, changed by two people who began with the same version of it. */

/** Values that belong together, such as a lower and an upper limit, are one field: they are merged together. */
export type MergeField<Record> = {
  names: readonly (keyof Record & string)[];
  label: string;
  /** What the field says in that version. */
  text: (record: Record) => string;
};

/** Who has changed a field; `both` only where they differ. */
type ChangedBy = 'mine' | 'theirs' | 'both';

/** The versions of a record: what both began with, one's own and the stored one. */
export type Versions<Record> = { base: Record; mine: Record; theirs: Record };

/** Undefined where both versions say the same. */
export function changedBy<Record>(
  { names }: Pick<MergeField<Record>, 'names'>,
  { base, mine, theirs }: Versions<Record>,
): ChangedBy | undefined {
  const isSame = (a: Record, b: Record) => names.every((name) => Object.is(a[name], b[name]));
  if (isSame(mine, theirs)) return undefined;
  if (isSame(mine, base)) return 'theirs';
  return isSame(theirs, base) ? 'mine' : 'both';
}

/**
 * Everybody's changes together.
 * @param isMine whether one's own value of a field that both have changed is taken
 */
export function merged<Record extends object>(
  fields: readonly MergeField<Record>[],
  versions: Versions<Record>,
  isMine: (field: MergeField<Record>) => boolean,
): Record {
  const { mine, theirs } = versions;
  const own = fields.filter((field) => {
    const by = changedBy(field, versions);
    return by === 'mine' || (by === 'both' && isMine(field));
  });
  const names = new Set<PropertyKey>(own.flatMap((field) => field.names));
  const taken = Object.entries(mine).filter(([name]) => names.has(name));
  return { ...theirs, ...Object.fromEntries(taken) };
}

/** The record as it is now, of a 409 that says so; undefined for every other failure. */
export function currentOf<Record>(error: Error | null, schema: z.ZodType<Record>): Record | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  return schema.safeParse(error.details?.current).data;
}
