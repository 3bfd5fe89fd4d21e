import type { SpoolState } from '#contract/readings';
import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/* Plants, their readings, and the bridges that bring them. The rules of schema.ts hold here too. */

/** A plant comes into being with its first reading, or when its board first says that it is there. */
export const plants = sqliteTable(
  'plants',
  {
    id: integer().primaryKey(),
    name: text().notNull().unique(),
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
    /** The board's own time where it could not be right and `measured_at` holds the receipt time instead. */
    refused_time: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.plant_id, table.measured_at, table.seq] }),
    // Sent again, such a reading may have another receipt time: its own time says that it is the same.
    uniqueIndex('plant_readings_by_refused_time')
      .on(table.plant_id, table.refused_time, table.seq)
      .where(sql`refused_time IS NOT NULL`),
    check('plant_readings_soil_moisture', sql`soil_moisture BETWEEN 0 AND 1023`),
  ],
);

/**
 * Readings of each plant by stretches of time, finest five minutes, so that any range of any length is answered from a
 * few thousand rows. Kept by triggers: whatever inserts a reading has it counted, once. Kept when the readings go.
 */
export const plantRollups = sqliteTable(
  'plant_rollups',
  {
    plant_id: integer()
      .notNull()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** Length of the stretch in milliseconds: one of ROLLUP_WIDTHS, each a multiple of the one before. */
    width: integer().notNull(),
    /** A multiple of `width`. */
    start: integer().notNull(),
    count: integer().notNull(),
    sum: integer().notNull(),
    /**
     * The lowest raw value, of several the earliest, and the highest, of several the latest. Each stands with its time
     * in one number, `soil_moisture * 2^42 + measured_at`: min() and max() of such numbers keep both.
     */
    lowest: integer().notNull(),
    highest: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.plant_id, table.width, table.start] }),
    check('plant_rollups_start', sql`start % width = 0`),
  ],
);

/** What is set of a plant and what was last heard of it: a row for each plant, by trigger. */
export const plantStates = sqliteTable(
  'plant_states',
  {
    plant_id: integer()
      .primaryKey()
      .references(() => plants.id, { onDelete: 'cascade' }),
    /** Raw values of 0 % and of 100 %; NULL is the whole range of the converter. */
    dry: integer(),
    wet: integer(),
    /** Percent. */
    alert_below: real().notNull().default(20),
    alert_clear: real().notNull().default(25),
    stale_after_minutes: integer().notNull().default(60),
    /** The newest reading by its own time: what comes late changes nothing here. */
    last_measured_at: integer(),
    last_seq: integer(),
    last_soil_moisture: integer(),
    last_received_at: integer(),
    /** How many were ever stored. */
    readings: integer().notNull().default(0),
    /** When the reading was taken that began the alert. A trigger decides, whenever the newest reading or a limit changes. */
    alert_since: integer(),
    board_online: integer({ mode: 'boolean' }),
    board_at: integer(),
  },
  () => [
    check('plant_states_calibration', sql`(dry IS NULL) = (wet IS NULL) AND (dry IS NULL OR dry > wet)`),
    check('plant_states_alert', sql`0 <= alert_below AND alert_below < alert_clear AND alert_clear <= 100`),
    check('plant_states_stale', sql`stale_after_minutes > 0`),
  ],
);

/** One row once raw readings were removed: there are none from before `since`, and none are taken any more. */
export const plantRetention = sqliteTable(
  'plant_retention',
  {
    id: integer().primaryKey(),
    since: integer().notNull(),
  },
  () => [check('plant_retention_id', sql`id = 1`)],
);

/** Keys under which bridges sign. A bridge may hold several at once while one replaces another. */
export const bridgeKeys = sqliteTable(
  'bridge_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    bridge_id: text().notNull(),
    key: text().notNull(),
    /** JSON array of the plants that the key may speak for; NULL for every plant. */
    plants: text(),
    created_at: integer().notNull(),
    revoked_at: integer(),
  },
  (table) => [
    uniqueIndex('bridge_keys_by_bridge').on(table.bridge_id, table.key),
    check('bridge_keys_key', sql`length(key) >= 32`),
    check('bridge_keys_plants', sql`plants IS NULL OR json_type(plants) = 'array'`),
  ],
);

/** The last word from each bridge. */
export const bridgeHeartbeats = sqliteTable('bridge_heartbeats', {
  bridge_id: text().primaryKey(),
  broker_connected: integer({ mode: 'boolean' }).notNull(),
  reported_at: integer().notNull(),
  /** The bridge counts as down from then on. */
  valid_until: integer().notNull(),
  /** Readings that wait on the bridge's disk, when the oldest of them was received, and dead letters. */
  spool_depth: integer(),
  spool_oldest_at: integer(),
  spool_dead: integer(),
  /** When the bridge signed it, in whole seconds, as far as that lies behind its arrival: an older word changes nothing. */
  signed_at: integer(),
  /** The last words in which it heard its broker, and in which it knew its spool; at the earliest its first word. */
  broker_heard_at: integer(),
  spool_known_at: integer(),
  /** Whether the spool takes readings, or why not; NULL while the bridge does not know. */
  spool_state: text().$type<SpoolState>(),
});
