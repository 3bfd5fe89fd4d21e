import * as z from 'zod';
import { MOISTURE_RAW_MAX } from './moisture.ts';

export const rawMoistureSchema = z.int().min(0).max(MOISTURE_RAW_MAX);

/** A plant's name is one level of an MQTT topic. */
export const plantNameSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}/+#]+$/u, 'a plant name has no control character, slash, plus or hash')
  // A lone surrogate has no UTF-8 form: the database would hold another name than the one that was sent.
  .refine((name) => name.isWellFormed(), 'not well-formed Unicode');

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([0-9:.]+)(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/i;

/**
 * ISO 8601 instant with a zone, however the zone is spelled: Z, +09:00, +0900 or +09, T and Z small too. It comes out
 * in the one spelling that every reader of dates understands.
 */
export const instantSchema = z
  .string()
  .transform((text) => {
    const [, date, time, hours, minutes = '00'] = INSTANT.exec(text) ?? [];
    if (date === undefined) return text;
    return `${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
  })
  .pipe(z.iso.datetime({ offset: true }));

const rangeShape = {
  plant: plantNameSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
};

/** Query of what a range of time is asked for: `from` inclusive, `to` exclusive, no `plant` means every plant. */
export const plantRangeSchema = z.object(rangeShape);

/** Query of GET /api/plants/csv: `plant` once for each plant that the file is to hold. */
export const plantCsvSchema = z.object({
  ...rangeShape,
  plant: z.union([plantNameSchema.transform((plant) => [plant]), z.array(plantNameSchema)]).optional(),
});

/** Query of GET /api/plants. */
export const plantQuerySchema = z.object({
  ...rangeShape,
  points: z
    .string()
    .regex(/^[0-9]{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(2000))
    .optional(),
});
export const PLANT_POINTS_DEFAULT = 2000;

/** One record of GET /api/plants: `datetime` in ISO 8601 UTC, `soil_moisture` raw. */
export type PlantRecord = {
  plant: string;
  datetime: string;
  soil_moisture: number;
  /** What the board's clock said where that could not be right; `datetime` is then when the bridge received it. */
  refused_datetime?: string;
};

/** Whose settings: no path of the API is spelled with percent signs, so a name stands in the query. */
export const plantSettingsQuerySchema = z.object({ plant: plantNameSchema });

/** A percentage of moisture, as limits of an alert are given. */
const percentSchema = z
  .number('0에서 100 사이의 값을 입력하세요')
  .min(0, '0 이상이어야 합니다')
  .max(100, '100 이하여야 합니다');
const calibrationSchema = z
  .int('0에서 1023 사이의 정수를 입력하세요')
  .min(0, '0 이상이어야 합니다')
  .max(MOISTURE_RAW_MAX, '1023 이하여야 합니다')
  .nullable();

/**
 * What can be set of a plant, the body and the answer of PUT /api/plants/settings?plant=… `dry` and `wet` are the raw
 * values of 0 % and 100 %, both or neither: without them the percentage is that of `moisturePercent`.
 */
export const plantSettingsSchema = z
  .object({
    dry: calibrationSchema,
    wet: calibrationSchema,
    /** Percent: the alert begins below it. The plant's own percentage where it is calibrated. */
    alert_below: percentSchema,
    /** Percent: the alert ends from it on. */
    alert_clear: percentSchema,
    /** A plant of which nothing has been received for so long counts as stale. */
    stale_after_minutes: z
      .int('정수를 입력하세요')
      .min(1, '1분 이상이어야 합니다')
      .max(43_200, '43200분(30일) 이하여야 합니다'),
  })
  .refine(({ dry, wet }) => (dry === null) === (wet === null), {
    path: ['wet'],
    error: '마른 값과 젖은 값을 함께 입력하세요',
  })
  .refine(({ dry, wet }) => dry === null || wet === null || dry > wet, {
    path: ['wet'],
    error: '마른 값은 젖은 값보다 커야 합니다',
  })
  .refine(({ alert_below, alert_clear }) => alert_below < alert_clear, {
    path: ['alert_clear'],
    error: '해제 기준은 알림 기준보다 커야 합니다',
  });
export type PlantSettings = z.infer<typeof plantSettingsSchema>;

/** One plant of GET /api/plants/states. Instants are ISO 8601 UTC. */
export type PlantState = PlantSettings & {
  plant: string;
  /** The newest reading; null where only the board's availability is known. */
  last_datetime: string | null;
  last_soil_moisture: number | null;
  /** When a bridge last received a reading of the plant. */
  last_received_at: string | null;
  /** What the board's availability topic said last, and when; null when it never spoke. */
  board: 'online' | 'offline' | null;
  board_at: string | null;
  /** When the reading was taken that began the alert; null when there is none. */
  alert_since: string | null;
  /** How many readings were ever stored. */
  readings: number;
};

/** One watering of GET /api/plants/waterings, the newest two thousand or so, oldest first; both values are raw. */
export type Watering = { plant: string; datetime: string; before: number; after: number };
