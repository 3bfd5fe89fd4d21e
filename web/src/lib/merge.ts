import type * as z from 'zod';
import { ApiError } from './api-error.ts';

/* Merges changes that two people made to the same version of a record. */

/** Values that belong together, such as a lower and an upper limit, are one field and are merged together. */
export type MergeField<Record> = {
  names: readonly (keyof Record & string)[];
  label: string;
  text: (record: Record) => string;
};

/** Who has changed a field; `both` only if the values differ. */
type ChangedBy = 'mine' | 'theirs' | 'both';

/** Three versions of a record: the common base, the user's own, and the stored one. */
export type RecordVersions<Record> = { base: Record; mine: Record; theirs: Record };

/** Says who changed a field; undefined if both versions have the same value. */
export function whoChangedField<Record>(
  { names }: Pick<MergeField<Record>, 'names'>,
  { base, mine, theirs }: RecordVersions<Record>,
): ChangedBy | undefined {
  const isSame = (a: Record, b: Record) => names.every((name) => Object.is(a[name], b[name]));
  if (isSame(mine, theirs)) return undefined;
  if (isSame(mine, base)) return 'theirs';
  return isSame(theirs, base) ? 'mine' : 'both';
}

/**
 * Puts both people's changes into one record.
 * @param isMine whether the user's own value is taken for a field that both changed
 */
export function mergeFields<Record extends object>(
  fields: readonly MergeField<Record>[],
  versions: RecordVersions<Record>,
  isMine: (field: MergeField<Record>) => boolean,
): Record {
  const { mine, theirs } = versions;
  const own = fields.filter((field) => {
    const by = whoChangedField(field, versions);
    return by === 'mine' || (by === 'both' && isMine(field));
  });
  const names = new Set<PropertyKey>(own.flatMap((field) => field.names));
  const taken = Object.entries(mine).filter(([name]) => names.has(name));
  return { ...theirs, ...Object.fromEntries(taken) };
}

/** The current record from a 409 response; undefined for any other error. */
export function currentRecordOf<Record>(error: Error | null, schema: z.ZodType<Record>): Record | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  return schema.safeParse(error.details?.current).data;
}
