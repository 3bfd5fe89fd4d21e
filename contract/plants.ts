import * as z from 'zod';
import type { FaultKind } from './moisture/faults.ts';
import { MOISTURE_RAW_MAX } from './moisture/percent.ts';
import type { Story } from './moisture/story.ts';
import { cleanPlantName, givenNameSchema, plantIdSchema } from './plant-id.ts';
import { textSchema } from './texts.ts';
import { versionSchema } from './errors.ts';

export const rawMoistureSchema = z.int().min(0).max(MOISTURE_RAW_MAX);

/**
 * How many plants there may be. A broker that takes anybody, as the one of `npm start` does, also takes whatever names
 * they make up.
 */
export const PLANTS_MAX = 1000;
/** How many of them one bridge key may bring, so that no key takes the room of all others. */
export const PLANTS_PER_KEY = 500;

/** No sensor of the lab is older than this, so no reading is. */
export const FIRST_READING = Date.UTC(2015, 0, 1);

const INSTANT = new RegExp(
  [
    String.raw`^(?<year>\d{4})(?<dash>-?)(?<month>\d{2})\k<dash>(?<day>\d{2})[T ]`,
    String.raw`(?<hour>\d{2})(?<colon>:?)(?<minute>\d{2})(?:\k<colon>(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?`,
    String.raw`(?:Z|(?<zone>[+-]\d{2})(?::?(?<zoneMinute>\d{2}))?)$`,
  ].join(''),
  'i',
);

/** The output's own spelling, as bridges and the boards of firmware/ write it: it needs no taking apart. */
const PLAIN_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * An instant in RFC 3339, or in unambiguous ISO 8601: date and time with or without separators, seconds optional, a
 * comma or point before the fraction, any form of time zone. A time zone is required. The output uses one spelling that
 * every date parser understands, with up to nine fractional digits.
 */
export const instantSchema = z
  .string()
  .transform((text) => {
    if (PLAIN_INSTANT.test(text)) return text;
    const found = INSTANT.exec(text)?.groups;
    if (found === undefined) return text;
    const { year, month, day, hour, minute, second = '00', fraction, zone, zoneMinute = '00' } = found;
    const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinute}`;
    // V8 miscounts leading zeros before more than nine digits: it reads .0001000000 as a millisecond.
    const decimals = fraction === undefined ? '' : `.${fraction.slice(0, 9)}`;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${decimals}${offset}`;
  })
  .pipe(
    z.iso.datetime({ offset: true, error: 'no date and time with a zone, as in 2026-03-02T14:05:00+09:00' }),
  );

const rangeShape = {
  plant: givenNameSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
};

/** Query for a range of time: `from` inclusive, `to` exclusive, without `plant` every plant that is not hidden. */
export const plantRangeSchema = z.object(rangeShape);

/** Query of GET /api/plants/csv: `plant` is repeated for each plant to include. */
export const plantCsvSchema = z.object({
  ...rangeShape,
  plant: z.union([givenNameSchema.transform((plant) => [plant]), z.array(givenNameSchema)]).optional(),
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
  /** What the board's clock said when it was implausible; `datetime` is then the receipt time. */
  refused_datetime?: string;
};

/**
 * Which plant is changed: by its name, or by its topic, which stays when somebody else changes the name. It is passed
 * in the query because the API rejects percent-encoded paths.
 */
export const onePlantSchema = z
  .object({ plant: givenNameSchema.optional(), topic: plantIdSchema.optional() })
  .refine(({ plant, topic }) => (plant === undefined) !== (topic === undefined), { path: ['plant'] });
export type OnePlant = z.output<typeof onePlantSchema>;

/** A moisture percentage used as an alert threshold. */
const percentSchema = z
  .number('0에서 100 사이의 값을 입력하세요')
  .min(0, '0 이상이어야 합니다')
  .max(100, '100 이하여야 합니다');
const calibrationSchema = z
  .int('0에서 1023 사이의 정수를 입력하세요')
  .min(0, '0 이상이어야 합니다')
  .max(MOISTURE_RAW_MAX, '1023 이하여야 합니다')
  .nullable();

/** A name that somebody gives a plant. */
const newNameSchema = z
  .string()
  .overwrite(cleanPlantName)
  .max(64, '64자까지 입력할 수 있습니다')
  .min(1, '이름을 입력하세요')
  .regex(/^[^/+#]*$/, '이름에 / + #를 쓸 수 없습니다')
  .refine((name) => plantIdSchema.safeParse(name).success, '쓸 수 없는 문자가 있습니다');

/**
 * Settings of a plant, PUT by /api/plants/settings?plant=… `dry` and `wet` are the raw values for
 * 0 % and 100 %, both or neither; without them `moisturePercent` applies.
 */
const plantSettingsSchema = z
  .object({
    dry: calibrationSchema,
    wet: calibrationSchema,
    /** Percent; the alert starts below it. */
    alert_below: percentSchema,
    /** Percent; the alert ends at or above it. */
    alert_clear: percentSchema,
    /** The plant counts as stale when nothing has been received for this long. */
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

/**
 * Body of PUT /api/plants/settings: without a `version` it replaces whatever is set. At most one plant is public: opening
 * one closes the other. Without `is_public`, `name` or `name_en` that stays as it is.
 */
export const plantChangeSchema = plantSettingsSchema.safeExtend({
  name: newNameSchema.optional(),
  name_en: textSchema(64, '64자까지 입력할 수 있습니다').optional(),
  is_public: z.boolean().optional(),
  version: versionSchema.optional(),
});
export type PlantChange = z.infer<typeof plantChangeSchema>;

/** A plant's settings and their version: the answer of PUT /api/plants/settings, also as `current` of its 409. */
export const storedSettingsSchema = plantSettingsSchema.safeExtend({
  name: z.string(),
  /** What visitors who read English see; empty where that is `name` too. */
  name_en: z.string(),
  is_public: z.boolean(),
  version: versionSchema,
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** Body of PUT /api/plants/hidden. Hiding a plant closes it to the public. */
export const plantHidingSchema = z.object({ is_hidden: z.boolean(), version: versionSchema.optional() });

/** Query of DELETE /api/plants: without a `version` the plant is removed as it is. */
export const plantRemovalSchema = onePlantSchema.safeExtend({
  version: z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number)
    .pipe(versionSchema)
    .optional(),
});

/** GET /api/plants/hidden: plants that are on no other screen. Instants are ISO 8601 UTC. */
export type HiddenPlants = {
  hidden: {
    plant: string;
    topic: string;
    version: number;
    readings: number;
    last_datetime: string | null;
  }[];
  /** Removed plants of which at most `readings_left` readings are still to be deleted. */
  removed: { plant: string; removed_at: string; readings_left: number }[];
};

/** A plant's story, with what its receipts say of its board. */
export type StoredStory = Story & {
  /** Nothing received for so long is silence. */
  silent_after_ms: number;
  /** How far the board's clock is ahead, negative when behind; null where nothing says that it is wrong. */
  clock_off_ms: number | null;
};

/** One plant of GET /api/plants/states, and in a message to open screens. Hidden plants are not sent. Instants are ISO 8601 UTC. */
export type PlantState = Omit<StoredSettings, 'name'> & {
  /** Its name. */
  plant: string;
  /** Its id. */
  topic: string;
  /** Of the newest reading; null when only the board's availability is known. */
  last_datetime: string | null;
  last_soil_moisture: number | null;
  /** When a bridge last received a reading of this plant. */
  last_received_at: string | null;
  /**
   * The last message on the board's availability topic, or the reading that proved an `offline` wrong, and when it came; null
   * if there was none, or its retained message was taken away.
   */
  board: 'online' | 'offline' | null;
  board_at: string | null;
  /** Number of readings ever stored. */
  readings: number;
  /** Nothing received for so long is silence: `stale_after_minutes`, or more for a board that sends less often. */
  silent_after_minutes: number;
  /** How far the board's clock is ahead, behind when negative, in milliseconds; null while nothing says that it is wrong. */
  clock_off_ms: number | null;
  /** Since when the soil is dry, as the story has it (docs/plants.md); null while it is not, or nobody knows. */
  alert_since: string | null;
  /** The last dry reading before the newest watering; null where none was seen. */
  last_watered: string | null;
  /** Until the soil is as dry as its limit, 0 when it is dry; null where that is not known. */
  days_until_dry: number | null;
  /** Between how many days; `high` is null where only the least is known. */
  forecast: { low: number; high: number | null } | null;
  /** Why the sensor cannot be right, and since when; null while nothing is wrong with it. */
  fault: { kind: FaultKind; since: string } | null;
  /** The same of the last sixty days; `to` is null of the one that goes on. */
  faults: { kind: FaultKind; from: string; to: string | null }[];
  /** Raw values of the driest and the wettest that the sensor has seen, for a calibration; null where it has none to offer. */
  calibration_offered: { dry: number; wet: number } | null;
};

/**
 * One watering of GET /api/plants/waterings, which returns the newest two thousand, oldest first; both values are
 * raw.
 */
export type Watering = { plant: string; datetime: string; before: number; after: number };

/** Number of hours of GET /api/plants/public: seven days. */
export const PUBLIC_HOURS = 168;

/** GET /api/plants/public, open to everybody: a week of the plant that an admin has opened; null if there is none. */
export type PublicPlant = {
  plant: string;
  /** Its name for who reads English. */
  plant_en: string;
  /** Start of the first of the hours, in ISO 8601 UTC. */
  from: string;
  /** Whole percents, the running hour last; null for an hour without a reading. */
  hours: (number | null)[];
  /** The newest reading; null if there has never been one. */
  last: { percent: number; datetime: string } | null;
  /** The limit below which it needs water. */
  limit_percent: number;
  /** Its waterings of the week, oldest first, and the last one ever; null if none was seen. */
  watered: string[];
  last_watered: string | null;
};
