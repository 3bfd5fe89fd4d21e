import * as z from 'zod';

/** Maximum bytes of a request that imports a list. */
export const IMPORT_BYTES_MAX = 4 * 1024 * 1024;

/** How long an import can be undone, and so how long the replaced values are stored. */
export const UNDO_DAYS = 30;

/** One import in a screen's list of imports, in which the newest comes first. */
export type ImportRecord = {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  /** Name of the user who made the import; null if that user was deleted. */
  by: string | null;
};

/** A count that the user saw and confirmed before an undo; 409 if the count has changed meanwhile. */
export const confirmedCountSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,9})$/)
  .transform(Number);
