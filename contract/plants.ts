import * as z from 'zod';
import type { FaultKind } from './moisture/faults.ts';
import { MOISTURE_RAW_MAX } from './moisture/percent.ts';
import type { Assessment } from './moisture/assessment.ts';
import { normalizePlantName, plantNameSchema, plantIdSchema } from './plant-id.ts';
import { textSchema } from './texts.ts';
import { versionSchema } from './errors.ts';

export const rawMoistureSchema = z.int().min(0).max(MOISTURE_RAW_MAX);

/**
 * Maximum number of plants. A broker without passwords, such as the broker of `npm start`, accepts any
 * made-up name.
 */
export const PLANTS_MAX = 1000;
/** Maximum number of plants per bridge key, so that one key cannot use up the plants of all others. */
export const PLANTS_PER_KEY = 500;

/** No sensor of the lab, and so no reading, is older than this. */
export const EARLIEST_READING_TIME = Date.UTC(2015, 0, 1);

const INSTANT = new RegExp(
  [
    String.raw`^(?<year>\d{4})(?<dash>-?)(?<month>\d{2})\k<dash>(?<day>\d{2})[T ]`,
    String.raw`(?<hour>\d{2})(?<colon>:?)(?<minute>\d{2})(?:\k<colon>(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?`,
    String.raw`(?:Z|(?<zone>[+-]\d{2})(?::?(?<zoneMinute>\d{2}))?)$`,
  ].join(''),
  'i',
);

/** Instants that already have the output's spelling, as bridges and the boards of firmware/ send them. */
const PLAIN_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * An instant in RFC 3339, or in unambiguous ISO 8601: date and time with or without separators, seconds
 * optional, a comma or point before the fraction, any form of time zone. A time zone is required. The output
 * uses one spelling that every date parser understands, with up to nine fractional digits.
 */
export const instantSchema = z
  .string()
  .transform((text) => {
    if (PLAIN_INSTANT.test(text)) return text;
    const found = INSTANT.exec(text)?.groups;
    if (found === undefined) return text;
    const { year, month, day, hour, minute, second = '00', fraction, zone, zoneMinute = '00' } = found;
    const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinute}`;
    // V8 reads a fraction of more than nine digits wrong: .0001000000 becomes one millisecond.
    const decimals = fraction === undefined ? '' : `.${fraction.slice(0, 9)}`;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${decimals}${offset}`;
  })
  .pipe(
    z.iso.datetime({ offset: true, error: 'no date and time with a zone, as in 2026-03-02T14:05:00+09:00' }),
  );

const rangeShape = {
  plant: plantNameSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
};

/** Query for a range: `from` inclusive, `to` exclusive; without `plant`, all plants that are not hidden. */
export const plantRangeSchema = z.object(rangeShape);

/** Query of GET /api/plants/csv: `plant` is repeated for each plant to include. */
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
export const DEFAULT_POINTS_PER_REQUEST = 2000;

/** One record of GET /api/plants: `datetime` in ISO 8601 UTC, `soil_moisture` as the raw value. */
export type PlantRecord = {
  plant: string;
  datetime: string;
  soil_moisture: number;
  /** The board's timestamp, if it was implausible; `datetime` is then the time of receipt. */
  refused_datetime?: string;
};

/**
 * The plant to change: its name, or its topic, which stays the same when somebody else renames the plant. The
 * query has it, because the API rejects percent-encoded paths.
 */
export const plantSelectorSchema = z
  .object({ plant: plantNameSchema.optional(), topic: plantIdSchema.optional() })
  .refine(({ plant, topic }) => (plant === undefined) !== (topic === undefined), { path: ['plant'] });
export type PlantSelector = z.output<typeof plantSelectorSchema>;

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

const newNameSchema = z
  .string()
  .overwrite(normalizePlantName)
  .max(64, '64자까지 입력할 수 있습니다')
  .min(1, '이름을 입력하세요')
  .regex(/^[^/+#]*$/, '이름에 / + #를 쓸 수 없습니다')
  .refine((name) => plantIdSchema.safeParse(name).success, '쓸 수 없는 문자가 있습니다');

/**
 * Settings of a plant, PUT by /api/plants/settings?plant=… `dry` (0 %) and `wet` (100 %) are raw values. A
 * plant has both or neither; without them `moisturePercent` uses its default.
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
 * Body of PUT /api/plants/settings. Without `version` the body overwrites any settings. At most one plant is
 * public: the last that was made public. Absent `is_public`, `name` or `name_en` keep their values.
 */
export const plantChangeSchema = plantSettingsSchema.safeExtend({
  name: newNameSchema.optional(),
  name_en: textSchema(64, '64자까지 입력할 수 있습니다').optional(),
  is_public: z.boolean().optional(),
  version: versionSchema.optional(),
});
export type PlantChange = z.infer<typeof plantChangeSchema>;

/** A plant's settings and their version: response of PUT /api/plants/settings, and `current` of its 409. */
export const storedSettingsSchema = plantSettingsSchema.safeExtend({
  name: z.string(),
  /** The name for visitors who read English; empty if they see `name` too. */
  name_en: z.string(),
  is_public: z.boolean(),
  version: versionSchema,
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** Body of PUT /api/plants/hidden. A hidden plant is no longer public. */
export const plantHidingSchema = z.object({ is_hidden: z.boolean(), version: versionSchema.optional() });

/** Query of DELETE /api/plants: without `version`, any version of the plant is removed. */
export const plantRemovalSchema = plantSelectorSchema.safeExtend({
  version: z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number)
    .pipe(versionSchema)
    .optional(),
});

/** GET /api/plants/hidden: the plants that no other screen shows. Instants are ISO 8601 UTC. */
export type HiddenPlants = {
  hidden: {
    plant: string;
    topic: string;
    version: number;
    readings: number;
    last_datetime: string | null;
  }[];
  /** Removed plants; at most `readings_left` of their readings are still to be deleted. */
  removed: { plant: string; removed_at: string; readings_left: number }[];
};

/** A plant's assessment, with what the receipt times show about its board. */
export type StoredAssessment = Assessment & {
  /** The board counts as silent after so long without a reading. */
  silent_after_ms: number;
  /** How far the board's clock is ahead, negative if behind; null if nothing shows that it is wrong. */
  clock_off_ms: number | null;
};

/** One plant of GET /api/plants/states and of live messages, never hidden. Instants are ISO 8601 UTC. */
export type PlantState = Omit<StoredSettings, 'name'> & {
  /** The plant's name. */
  plant: string;
  /** The plant's id. */
  topic: string;
  /** Time of the newest reading; null when only the board's availability is known. */
  last_datetime: string | null;
  last_soil_moisture: number | null;
  /** When a bridge last received a reading of this plant. */
  last_received_at: string | null;
  /**
   * The last message on the board's availability topic, or the reading that proved an `offline` wrong, and
   * its time; null if there was no message, or the retained message was deleted.
   */
  board: 'online' | 'offline' | null;
  board_at: string | null;
  /** Number of readings ever stored. */
  readings: number;
  /** The board is silent after so long: `stale_after_minutes`, or more if the board sends less often. */
  silent_after_minutes: number;
  /** Milliseconds by which the board's clock is ahead (negative: behind); null if nothing shows an error. */
  clock_off_ms: number | null;
  /** Since when the soil is dry, as the assessment says (docs/plants.md); null if not dry, or if unknown. */
  alert_since: string | null;
  /** Time of the last dry reading before the newest watering; null without a watering. */
  last_watered: string | null;
  /** Days until the soil is dry, 0 when it is dry; null if unknown, or if only the minimum is known. */
  days_until_dry: number | null;
  /** The forecast's range in days; `high` is null if only the minimum is known. */
  forecast: { low: number; high: number | null } | null;
  /** The sensor's present fault, and since when; null without a fault. */
  fault: { kind: FaultKind; since: string } | null;
  /** All faults of the last sixty days; `to` is null for the present fault. */
  faults: { kind: FaultKind; from: string; to: string | null }[];
  /** Raw values of the driest and wettest soil so far, offered as a calibration; null without an offer. */
  calibration_offered: { dry: number; wet: number } | null;
};

/**
 * One watering of GET /api/plants/waterings, which returns the newest two thousand, oldest first: the
 * water came between `datetime`, the last dry reading, and `until`. `before` and `after` are raw values.
 */
export type Watering = { plant: string; datetime: string; until: string; before: number; after: number };

/** Number of hours of GET /api/plants/public: seven days. */
export const PUBLIC_CHART_HOURS = 168;

/** GET /api/plants/public, open to everybody: a week of the plant that an admin made public; null if none. */
export type PublicPlant = {
  plant: string;
  /** The plant's name for readers of English. */
  plant_en: string;
  /** Start of the first hour, in ISO 8601 UTC. */
  from: string;
  /** Whole percents per hour, the current hour last; null for an hour without a reading. */
  hours: (number | null)[];
  /** The newest reading; null if there has never been one. */
  last: { percent: number; datetime: string } | null;
  /** The limit below which the plant needs water, in percent. */
  limit_percent: number;
  /** The week's waterings, oldest first, and the last watering of all time; null without one. */
  watered: string[];
  last_watered: string | null;
};
