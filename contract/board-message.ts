import * as z from 'zod';
import { instantSchema, rawMoistureSchema } from './plants.ts';

/** What a board may send for one measurement: an object with optional datetime and seq, as most do, or a bare raw value. */
export const measurementSchema = z.union([
  z.strictObject({
    soil_moisture: rawMoistureSchema,
    datetime: instantSchema.optional(),
    seq: z.int().optional(),
  }),
  rawMoistureSchema.transform((soil_moisture) => ({ soil_moisture, datetime: undefined, seq: undefined })),
]);

/** The first issue of the union's branch that matches the form of what was sent. */
export function measurementIssue(sent: unknown, error: z.ZodError): z.core.$ZodIssue | undefined {
  const [union] = error.issues;
  const form = typeof sent === 'number' ? 1 : 0;
  return (union?.code === 'invalid_union' ? union.errors[form]?.[0] : undefined) ?? union;
}
