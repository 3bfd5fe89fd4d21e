import { z } from 'zod';

/** Largest raw value of the board's 10-bit converter. Raw is stored; percent is made at the edge. */
export const MOISTURE_RAW_MAX = 1023;

/** Soil moisture in percent of a raw reading 0..1023: the wetter the soil, the lower the raw value. */
export function moisturePercent(raw: number): number {
  return ((MOISTURE_RAW_MAX - raw) / MOISTURE_RAW_MAX) * 100;
}

export const rawMoistureSchema = z.int().min(0).max(MOISTURE_RAW_MAX);

/** A plant's name is one level of an MQTT topic. */
export const plantNameSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}/+#]+$/u, 'a plant name has no control character, slash, plus or hash')
  // A lone surrogate has no UTF-8 form: the database would hold another name than the one that was sent.
  .refine((name) => name.isWellFormed(), 'not well-formed Unicode');

/** ISO 8601 instant with a zone. */
export const instantSchema = z.iso.datetime({ offset: true });

/** Query of GET /api/plants. `from` is inclusive, `to` exclusive. */
export const plantQuerySchema = z.object({
  plant: plantNameSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  points: z
    .string()
    .regex(/^[0-9]{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(2000))
    .optional(),
});
export const PLANT_POINTS_DEFAULT = 2000;

/** One record of GET /api/plants: `datetime` in ISO 8601 UTC, `soil_moisture` raw. */
export type PlantRecord = { plant: string; datetime: string; soil_moisture: number };
