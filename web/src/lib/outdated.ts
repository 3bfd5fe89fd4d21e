import type * as z from 'zod';
import { ApiError } from './api-error.ts';

/** The record as it is now, of a 409 that says so; undefined for every other failure. */
export function currentOf<Record>(error: Error | null, schema: z.ZodType<Record>): Record | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  return schema.safeParse(error.details?.current).data;
}
