import * as z from 'zod';

/** How long an import can be undone, and so how long what it replaced is kept. */
export const UNDO_DAYS = 30;

/** One import as the list of its screen shows it, newest first. */
export type ImportRecord = {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  /** Name of who made it; null when that user was deleted. */
  by: string | null;
};

/** Query of an undo that confirms counts: the numbers that the person saw, 409 if they have changed. */
export const confirmedCount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,9})$/)
  .transform(Number);
