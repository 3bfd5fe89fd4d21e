import type { BridgeTask, BridgeTaskResult } from '#contract/bridges';
import type { LogAction, LogSubject } from '#contract/access-log';
import type { StoredAssessment } from '#contract/plants';
import type { BoardOverQuota, BoardWithDeadLetters, SpoolState } from '#contract/readings';
import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/*
 * PLANTS_DB: the plants, their readings and the bridges that deliver these; everything else is in DB. The
 * conventions of users.ts apply.
 */

/** A plant is created by its first reading, or when its board first reports that it is online. */
export const plants = sqliteTable(
  'plants',
  {
    id: integer().primaryKey(),
    /** The name that people use. No plant has another plant's topic as its name: a name means one plant. */
    name: text().notNull().unique(),
    /**
     * The plant's id for boards, rights and bridges: its level of the MQTT topic. It never changes. A trigger
     * replaces an empty topic by the name.
     */
    topic: text().notNull().default('').unique(),
    /** Id of the bridge key that created the plant; NULL if there was no key, or it was not recorded. */
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
    /** When the bridge received the reading. */
    received_at: integer().notNull(),
    /** The board's own timestamp when it was implausible; `measured_at` then holds the receipt time. */
    refused_time: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.plant_id, table.measured_at, table.seq] }),
    // A reading sent again may have another receipt time, so the board's own time identifies the reading.
    uniqueIndex('plant_readings_by_refused_time')
      .on(table.plant_id, table.refused_time, table.seq)
      .where(sql`refused_time IS NOT NULL`),
    check('plant_readings_soil_moisture', sql`soil_moisture BETWEEN 0 AND 1023`),
  ],
);

/**
 * Lowest and highest reading per plant and interval, from five minutes upwards, so that any range needs only
 * a few thousand rows. An interval is written when it is over, and again when a reading arrives late: rows
 * exist exactly for the intervals that end by the watermark. Rollups stay when raw readings are removed.
 */
export const plantRollups = sqliteTable(
  'plant_rollups',
  {
    plant_id: integer()
      .notNull()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** Length of the interval in milliseconds: one of ROLLUP_WIDTHS, each a multiple of the width before. */
    width: integer().notNull(),
    /** A multiple of `width`. */
    start: integer().notNull(),
    count: integer().notNull(),
    sum: integer().notNull(),
    /**
     * The lowest raw value (the earliest of several) and the highest (the latest). Each is packed with its
     * time into one number, `soil_moisture * 2^42 + measured_at`, so that min() and max() return both.
     */
    lowest: integer().notNull(),
    highest: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.plant_id, table.width, table.start] }),
    check('plant_rollups_start', sql`start % width = 0`),
  ],
);

/** A single row: until when rollups of all plants are written. */
export const plantRollupWatermark = sqliteTable(
  'plant_rollup_watermark',
  {
    id: integer().primaryKey(),
    /**
     * A multiple of the finest width: every interval of plant_rollups that has ended at this instant is
     * written, and no interval that ends later.
     */
    until: integer().notNull(),
  },
  () => [
    check('plant_rollup_watermark_id', sql`id = 1`),
    check('plant_rollup_watermark_until', sql`until % 300000 = 0`),
  ],
);

/**
 * Waterings as found by contract/moisture/waterings.ts: the last dry reading, and where the soil settled.
 * Each is stored as soon as only a late reading could still change it.
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

/** A plant's settings and latest state. A trigger creates one row per plant; a removed plant has no row. */
export const plantStates = sqliteTable(
  'plant_states',
  {
    plant_id: integer()
      .primaryKey()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** Raw values for 0 % and 100 %; NULL means the converter's full range. */
    dry: integer(),
    wet: integer(),
    /** In percent. */
    alert_below: real().notNull().default(20),
    alert_clear: real().notNull().default(25),
    stale_after_minutes: integer().notNull().default(60),
    /** The newest reading by its own time; late arrivals do not change it. */
    last_measured_at: integer(),
    last_seq: integer(),
    last_soil_moisture: integer(),
    last_received_at: integer(),
    /** Number of readings ever stored. */
    readings: integer().notNull().default(0),
    /** Waterings before this instant are in plant_waterings; a late reading moves the instant back. */
    waterings_until: integer().notNull().default(0),
    /** The plant's last assessment (docs/plants.md), its time, and the number of readings at that time. */
    assessment: text('story', { mode: 'json' }).$type<StoredAssessment>(),
    judged_at: integer(),
    judged_readings: integer(),
    /** Since when the soil is dry, as the assessment says; NULL also while the sensor is at fault. */
    alert_since: integer(),
    board_online: integer({ mode: 'boolean' }),
    board_at: integer(),
    /** Raised by a trigger with every change of the settings, but not by readings. */
    version: integer().notNull().default(1),
    /** The plant's name for visitors who read English; empty if it is the same. */
    name_en: text().notNull().default(''),
    /** Whether everybody may see the last week of the plant. */
    is_public: integer({ mode: 'boolean' }).notNull().default(false),
    /** A hidden plant is on no screen and in no alert; its readings are still stored. */
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
  /** The name before the removal; name and topic in `plants` are free for another plant. */
  name: text().notNull(),
  removed_at: integer().notNull(),
  /** At most this many readings are still stored. */
  readings_left: integer().notNull(),
});

/** Topics of removed plants: messages that a board has retained at its broker do not create them again. */
export const removedTopics = sqliteTable('removed_topics', {
  topic: text().primaryKey(),
  /** When a plant with this topic was last removed. */
  removed_at: integer().notNull(),
});

/** One row, once raw readings were removed: no reading from before `since` is stored or accepted. */
export const plantRetention = sqliteTable(
  'plant_retention',
  {
    id: integer().primaryKey(),
    since: integer().notNull(),
  },
  () => [check('plant_retention_id', sql`id = 1`)],
);

/** Signing keys of the bridges. A bridge may have several while a new key replaces an old key. */
export const bridgeKeys = sqliteTable(
  'bridge_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    bridge_id: text().notNull(),
    key: text().notNull(),
    /** JSON array of the topics that the key may send for; NULL for all topics. */
    plants: text(),
    created_at: integer().notNull(),
    revoked_at: integer(),
    /** How many readings the key has sent on its last day in UTC, and that day's number since 1970. */
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
  /** How many readings wait on the bridge's disk, the oldest receipt time, and how many dead letters. */
  spool_depth: integer(),
  spool_oldest_at: integer(),
  spool_dead: integer(),
  /** When the bridge signed the heartbeat (seconds, at most its arrival); older heartbeats are ignored. */
  signed_at: integer(),
  /** When the broker was last reported as connected, and the spool as known; else the first heartbeat. */
  broker_heard_at: integer(),
  spool_known_at: integer(),
  /** Whether the spool accepts readings, or why not; NULL while the bridge does not know. */
  spool_state: text().$type<SpoolState>(),
  /** Boards over their quota, a JSON array of `BoardOverQuota`, and when last reported; NULL if never. */
  over_quota: text({ mode: 'json' }).$type<BoardOverQuota[]>(),
  over_quota_at: integer(),
  /** NULL when the bridge reports no version. */
  version: text(),
  /** End of its broker's certificate, and bytes of the spool's disk; NULL while the bridge does not know. */
  certificate_until: integer(),
  disk_free: integer(),
  disk_size: integer(),
  /** Boards whose presence is not reported because there are too many; NULL for none. */
  boards_passed_over: integer(),
  /** Plants whose boards keep reconnecting, a JSON array of their topics; NULL for none. */
  boards_reconnecting: text({ mode: 'json' }).$type<string[]>(),
  /** When the number of dead letters last rose, and the boards with the most, as `BoardWithDeadLetters[]`. */
  dead_at: integer(),
  dead_boards: text({ mode: 'json' }).$type<BoardWithDeadLetters[]>(),
  /** The kinds of tasks that the bridge can do, a JSON array; NULL for a bridge without tasks. */
  tasks: text({ mode: 'json' }).$type<string[]>(),
});

/** Admins' tasks for bridges: the answer to a heartbeat has the task, a later heartbeat has its result. */
export const bridgeTasks = sqliteTable(
  'bridge_tasks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    bridge_id: text().notNull(),
    /** A `BridgeTask` as JSON. */
    task: text({ mode: 'json' }).$type<BridgeTask>().notNull(),
    created_at: integer().notNull(),
    /** When an answer first contained the task. */
    taken_at: integer(),
    done_at: integer(),
    /** A `BridgeTaskResult` as JSON; NULL until the task is done. */
    result: text({ mode: 'json' }).$type<BridgeTaskResult>(),
  },
  () => [
    check('bridge_tasks_task', sql`json_type(task) = 'object'`),
    check('bridge_tasks_result', sql`(result IS NULL) = (done_at IS NULL)`),
  ],
);

/** Lines of the access log about plants: written in the transaction of the change, later moved to DB. */
export const plantLog = sqliteTable(
  'plant_log',
  {
    /** Ids are never reused, so that only moved lines are deleted. */
    id: integer().primaryKey({ autoIncrement: true }),
    /** The same columns as in `access_log`. */
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
