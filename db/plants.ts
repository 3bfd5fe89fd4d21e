import type { BridgeTask, TaskResult } from '#contract/bridges';
import type { LogAction, LogSubject } from '#contract/access-log';
import type { StoredStory } from '#contract/plants';
import type { BoardOverQuota, DeadBoard, SpoolState } from '#contract/readings';
import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/*
 * The database of the plants, their readings and the bridges that deliver them, bound as PLANTS_DB; everything else is
 * in DB. The conventions of schema.ts apply.
 */

/** A plant is created by its first reading, or when its board first reports that it is online. */
export const plants = sqliteTable(
  'plants',
  {
    id: integer().primaryKey(),
    /** What people call it. No plant has another one's topic as its name, so a word means one plant. */
    name: text().notNull().unique(),
    /**
     * Its id, by which boards, rights and bridges know it: its level of the MQTT topic. It never changes. A trigger fills an
     * empty one in from the name.
     */
    topic: text().notNull().default('').unique(),
    /** Id of the bridge key that brought it; NULL when no key did, or one before that was written down. */
    brought_by: integer(),
  },
  () => [check('plants_name', sql`length(name) BETWEEN 1 AND 64`)],
);

export const plantReadings = sqliteTable(
  'plant_readings',
  {
    plant_id: integer()
      .notNull()
      .references(() => plants.id),
    measured_at: integer().notNull(),
    seq: integer().notNull(),
    soil_moisture: integer().notNull(),
    /** When the bridge received it. */
    received_at: integer().notNull(),
    /** The board's own timestamp when it was implausible; `measured_at` then holds the receipt time. */
    refused_time: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.plant_id, table.measured_at, table.seq] }),
    // When such a reading is sent again, its receipt time may differ, so the board's own time identifies it.
    uniqueIndex('plant_readings_by_refused_time')
      .on(table.plant_id, table.refused_time, table.seq)
      .where(sql`refused_time IS NOT NULL`),
    check('plant_readings_soil_moisture', sql`soil_moisture BETWEEN 0 AND 1023`),
  ],
);

/**
 * Lowest and highest reading per plant and interval, from five minutes upwards, so that any range can be answered from
 * a few thousand rows. An interval is written when it is over, and again when one of its readings comes later: there are
 * all that end by the watermark, and no other ones. Rollups stay when the raw readings are removed.
 */
export const plantRollups = sqliteTable(
  'plant_rollups',
  {
    plant_id: integer()
      .notNull()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** Length of the interval in milliseconds: one of ROLLUP_WIDTHS, each a multiple of the one before. */
    width: integer().notNull(),
    /** A multiple of `width`. */
    start: integer().notNull(),
    count: integer().notNull(),
    sum: integer().notNull(),
    /**
     * The lowest raw value (the earliest of several) and the highest (the latest of several). Each is packed with its
     * time into one number, `soil_moisture * 2^42 + measured_at`, so that min() and max() keep both.
     */
    lowest: integer().notNull(),
    highest: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.plant_id, table.width, table.start] }),
    check('plant_rollups_start', sql`start % width = 0`),
  ],
);

/** A single row: how far the readings of all plants are summed up. */
export const plantRollupWatermark = sqliteTable(
  'plant_rollup_watermark',
  {
    id: integer().primaryKey(),
    /**
     * A multiple of the finest width: every interval of plant_rollups that ends by then is written, and none that ends
     * later.
     */
    until: integer().notNull(),
  },
  () => [
    check('plant_rollup_watermark_id', sql`id = 1`),
    check('plant_rollup_watermark_until', sql`until % 300000 = 0`),
  ],
);

/**
 * Waterings as contract/moisture/waterings.ts finds them, each kept once nothing but a late reading can change it any more:
 * the last dry reading, and where the soil settled.
 */
export const plantWaterings = sqliteTable(
  'plant_waterings',
  {
    plant_id: integer()
      .notNull()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** The last reading before the water. */
    before_at: integer().notNull(),
    before: integer().notNull(),
    top_at: integer().notNull(),
    top: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.plant_id, table.before_at] })],
);

/** A plant's settings and latest state. A trigger creates one row per plant; a plant that is removed has none. */
export const plantStates = sqliteTable(
  'plant_states',
  {
    plant_id: integer()
      .primaryKey()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** Raw values for 0 % and 100 %; NULL means the converter's full range. */
    dry: integer(),
    wet: integer(),
    /** Percent. */
    alert_below: real().notNull().default(20),
    alert_clear: real().notNull().default(25),
    stale_after_minutes: integer().notNull().default(60),
    /** Of the newest reading by its own time; late arrivals do not change it. */
    last_measured_at: integer(),
    last_seq: integer(),
    last_soil_moisture: integer(),
    last_received_at: integer(),
    /** Number of readings ever stored. */
    readings: integer().notNull().default(0),
    /** Waterings before this instant are in plant_waterings; a late reading puts it back. */
    waterings_until: integer().notNull().default(0),
    /** What was last said of the plant (docs/plants.md), when, and how many of its readings it goes by. */
    story: text({ mode: 'json' }).$type<StoredStory>(),
    judged_at: integer(),
    judged_readings: integer(),
    /** Since when it is dry, by its story; NULL also while its sensor is at fault. */
    alert_since: integer(),
    board_online: integer({ mode: 'boolean' }),
    board_at: integer(),
    /** Raised by a trigger with every change of the settings; readings leave it alone. */
    version: integer().notNull().default(1),
    /** Its name for visitors who read English; empty where that is the same. */
    name_en: text().notNull().default(''),
    /** Whether everybody may see the last week of the plant. */
    is_public: integer({ mode: 'boolean' }).notNull().default(false),
    /** On no screen and in no alert; its readings are still stored. */
    is_hidden: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    uniqueIndex('plant_states_one_is_public')
      .on(table.is_public)
      .where(sql`is_public = 1`),
    check('plant_states_calibration', sql`(dry IS NULL) = (wet IS NULL) AND (dry IS NULL OR dry > wet)`),
    check('plant_states_alert', sql`0 <= alert_below AND alert_below < alert_clear AND alert_clear <= 100`),
    check('plant_states_stale', sql`stale_after_minutes > 0`),
  ],
);

/** Plants that were removed, until the nightly task has deleted the last of their readings and rollups. */
export const plantRemovals = sqliteTable('plant_removals', {
  plant_id: integer()
    .primaryKey()
    .references(() => plants.id, { onDelete: 'cascade' }),
  /** Its name until then: name and topic in `plants` are free for another plant. */
  name: text().notNull(),
  removed_at: integer().notNull(),
  /** At most this many readings are still stored. */
  readings_left: integer().notNull(),
});

/** Topics of removed plants: what a board has left at its broker begins none of them anew. */
export const removedTopics = sqliteTable('removed_topics', {
  topic: text().primaryKey(),
  /** The last time that a plant of it was. */
  removed_at: integer().notNull(),
});

/** A single row, present once raw readings have been removed: none from before `since` are stored or accepted. */
export const plantRetention = sqliteTable(
  'plant_retention',
  {
    id: integer().primaryKey(),
    since: integer().notNull(),
  },
  () => [check('plant_retention_id', sql`id = 1`)],
);

/** Signing keys of the bridges. A bridge may hold several at once while one replaces another. */
export const bridgeKeys = sqliteTable(
  'bridge_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    bridge_id: text().notNull(),
    key: text().notNull(),
    /** JSON array of the plants it may send for, by their topics; NULL means every plant. */
    plants: text(),
    created_at: integer().notNull(),
    revoked_at: integer(),
    /** How many readings it has sent on its last day in UTC, and which day that was, counted from 1970. */
    sent_rows: integer().notNull().default(0),
    sent_day: integer(),
  },
  (table) => [
    uniqueIndex('bridge_keys_by_bridge').on(table.bridge_id, table.key),
    check('bridge_keys_key', sql`length(key) >= 32`),
    check('bridge_keys_plants', sql`plants IS NULL OR json_type(plants) = 'array'`),
  ],
);

/** The latest heartbeat of each bridge. */
export const bridgeHeartbeats = sqliteTable('bridge_heartbeats', {
  bridge_id: text().primaryKey(),
  broker_connected: integer({ mode: 'boolean' }).notNull(),
  reported_at: integer().notNull(),
  /** The bridge counts as down after this instant. */
  valid_until: integer().notNull(),
  /** Readings waiting on the bridge's disk, when the oldest of them was received, and the number of dead letters. */
  spool_depth: integer(),
  spool_oldest_at: integer(),
  spool_dead: integer(),
  /**
   * When the bridge signed it, in whole seconds, but never later than its arrival. An older heartbeat changes nothing.
   */
  signed_at: integer(),
  /** When it last reported a working broker connection and a known spool state; initially its first heartbeat. */
  broker_heard_at: integer(),
  spool_known_at: integer(),
  /** Whether the spool accepts readings, or why not; NULL while the bridge does not know. */
  spool_state: text().$type<SpoolState>(),
  /** Boards beyond their quota, a JSON array of `BoardOverQuota`, and when that was last reported; NULL if never. */
  over_quota: text({ mode: 'json' }).$type<BoardOverQuota[]>(),
  over_quota_at: integer(),
  /** NULL when the bridge reports no version. */
  version: text(),
  /** When its broker's certificate ends, and bytes of the disk that holds its spool; NULL while it does not know. */
  certificate_until: integer(),
  disk_free: integer(),
  disk_size: integer(),
  /** Boards of whose presence it tells nothing because there are too many; NULL for none. */
  boards_passed_over: integer(),
  /** Plants whose boards connect again and again, a JSON array of their topics; NULL for none. */
  boards_reconnecting: text({ mode: 'json' }).$type<string[]>(),
  /** When the number of dead letters last rose, and the boards with the most, a JSON array of `DeadBoard`. */
  dead_at: integer(),
  dead_boards: text({ mode: 'json' }).$type<DeadBoard[]>(),
  /** The kinds of tasks that it does, a JSON array; NULL for one that knows of none. */
  tasks: text({ mode: 'json' }).$type<string[]>(),
});

/** What admins ask of bridges in the browser: the answer to a heartbeat carries it, the next one brings its result. */
export const bridgeTasks = sqliteTable(
  'bridge_tasks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    bridge_id: text().notNull(),
    /** A JSON object. */
    task: text({ mode: 'json' }).$type<BridgeTask>().notNull(),
    created_at: integer().notNull(),
    /** When an answer carried it first. */
    taken_at: integer(),
    done_at: integer(),
    /** A JSON object; NULL until it is done. */
    result: text({ mode: 'json' }).$type<TaskResult>(),
  },
  () => [
    check('bridge_tasks_task', sql`json_type(task) = 'object'`),
    check('bridge_tasks_result', sql`(result IS NULL) = (done_at IS NULL)`),
  ],
);

/** Lines of the access log about plants, written with the change that they tell of, until they are carried into it. */
export const plantLog = sqliteTable(
  'plant_log',
  {
    /** Never used again, so that only what was carried is deleted. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** As in `access_log`. */
    at: integer().notNull(),
    actor_id: integer(),
    address: text().notNull(),
    action: text().$type<LogAction>().notNull(),
    subject: text().$type<LogSubject>().notNull(),
    subject_id: text(),
    detail: text().notNull(),
    request_id: text(),
  },
  () => [check('plant_log_detail', sql`json_type(detail) = 'object'`)],
);
