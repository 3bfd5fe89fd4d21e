CREATE TABLE `bridge_heartbeats` (
	`bridge_id` text PRIMARY KEY NOT NULL,
	`broker_connected` integer NOT NULL,
	`reported_at` integer NOT NULL,
	`valid_until` integer NOT NULL,
	`spool_depth` integer,
	`spool_oldest_at` integer,
	`spool_dead` integer,
	`signed_at` integer,
	`broker_heard_at` integer,
	`spool_known_at` integer,
	`spool_state` text,
	`over_quota` text,
	`over_quota_at` integer,
	`version` text,
	`certificate_until` integer,
	`disk_free` integer,
	`disk_size` integer,
	`boards_passed_over` integer,
	`dead_at` integer,
	`dead_boards` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `bridge_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bridge_id` text NOT NULL,
	`key` text NOT NULL,
	`plants` text,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	CONSTRAINT "bridge_keys_key" CHECK(length(key) >= 32),
	CONSTRAINT "bridge_keys_plants" CHECK(plants IS NULL OR json_type(plants) = 'array')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `bridge_keys_by_bridge` ON `bridge_keys` (`bridge_id`,`key`);
--> statement-breakpoint
CREATE TABLE `plant_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` integer,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text,
	`detail` text NOT NULL,
	`request_id` text,
	CONSTRAINT "plant_log_detail" CHECK(json_type(detail) = 'object')
) STRICT;
--> statement-breakpoint
CREATE TABLE `plant_readings` (
	`plant_id` integer NOT NULL,
	`measured_at` integer NOT NULL,
	`seq` integer NOT NULL,
	`soil_moisture` integer NOT NULL,
	`received_at` integer NOT NULL,
	`refused_time` integer,
	PRIMARY KEY(`plant_id`, `measured_at`, `seq`),
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "plant_readings_soil_moisture" CHECK(soil_moisture BETWEEN 0 AND 1023)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `plant_readings_by_refused_time` ON `plant_readings` (`plant_id`,`refused_time`,`seq`) WHERE refused_time IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `plant_removals` (
	`plant_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`removed_at` integer NOT NULL,
	`readings_left` integer NOT NULL,
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `plant_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	CONSTRAINT "plant_retention_id" CHECK(id = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `plant_rollup_watermark` (
	`id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	CONSTRAINT "plant_rollup_watermark_id" CHECK(id = 1),
	CONSTRAINT "plant_rollup_watermark_until" CHECK(until % 300000 = 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `plant_rollups` (
	`plant_id` integer NOT NULL,
	`width` integer NOT NULL,
	`start` integer NOT NULL,
	`count` integer NOT NULL,
	`sum` integer NOT NULL,
	`lowest` integer NOT NULL,
	`highest` integer NOT NULL,
	PRIMARY KEY(`plant_id`, `width`, `start`),
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "plant_rollups_start" CHECK(start % width = 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `plant_states` (
	`plant_id` integer PRIMARY KEY NOT NULL,
	`dry` integer,
	`wet` integer,
	`alert_below` real DEFAULT 20 NOT NULL,
	`alert_clear` real DEFAULT 25 NOT NULL,
	`stale_after_minutes` integer DEFAULT 60 NOT NULL,
	`last_measured_at` integer,
	`last_seq` integer,
	`last_soil_moisture` integer,
	`last_received_at` integer,
	`readings` integer DEFAULT 0 NOT NULL,
	`waterings_until` integer DEFAULT 0 NOT NULL,
	`alert_since` integer,
	`board_online` integer,
	`board_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`is_public` integer DEFAULT false NOT NULL,
	`is_hidden` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "plant_states_calibration" CHECK((dry IS NULL) = (wet IS NULL) AND (dry IS NULL OR dry > wet)),
	CONSTRAINT "plant_states_alert" CHECK(0 <= alert_below AND alert_below < alert_clear AND alert_clear <= 100),
	CONSTRAINT "plant_states_stale" CHECK(stale_after_minutes > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `plant_states_one_is_public` ON `plant_states` (`is_public`) WHERE is_public = 1;
--> statement-breakpoint
CREATE TABLE `plant_waterings` (
	`plant_id` integer NOT NULL,
	`before_at` integer NOT NULL,
	`before` integer NOT NULL,
	`top_at` integer NOT NULL,
	`top` integer NOT NULL,
	PRIMARY KEY(`plant_id`, `before_at`),
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `plants` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`topic` text DEFAULT '' NOT NULL,
	CONSTRAINT "plants_name" CHECK(length(name) BETWEEN 1 AND 64)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `plants_name_unique` ON `plants` (`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `plants_topic_unique` ON `plants` (`topic`);
--> statement-breakpoint
INSERT INTO `plant_rollup_watermark` (id, until) VALUES (1, (unixepoch() - 86400) / 300 * 300000);
--> statement-breakpoint
CREATE TRIGGER `plant_states_raise_and_lift_the_alert`
AFTER UPDATE OF `dry`, `wet`, `alert_below`, `alert_clear` ON `plant_states`
WHEN NEW.last_soil_moisture IS NOT NULL
BEGIN
	UPDATE `plant_states` SET alert_since = CASE
		WHEN max(0, coalesce(dry, 1023) - last_soil_moisture) * 100 < alert_below * (coalesce(dry, 1023) - coalesce(wet, 0))
			THEN coalesce(alert_since, last_measured_at)
		WHEN max(0, coalesce(dry, 1023) - last_soil_moisture) * 100 < alert_clear * (coalesce(dry, 1023) - coalesce(wet, 0))
			THEN alert_since
	END WHERE plant_id = NEW.plant_id;
END;
--> statement-breakpoint
CREATE TRIGGER `plant_states_look_for_waterings_again`
AFTER UPDATE OF `dry`, `wet` ON `plant_states`
WHEN NEW.dry IS NOT OLD.dry OR NEW.wet IS NOT OLD.wet
BEGIN
	DELETE FROM `plant_waterings` WHERE plant_id = NEW.plant_id;
	UPDATE `plant_states` SET waterings_until = 0 WHERE plant_id = NEW.plant_id;
END;
--> statement-breakpoint
CREATE TRIGGER `plant_states_version_on_update`
AFTER UPDATE OF `dry`, `wet`, `alert_below`, `alert_clear`, `stale_after_minutes`, `is_public`, `is_hidden` ON `plant_states`
BEGIN
	UPDATE `plant_states` SET version = version + 1 WHERE plant_id = new.plant_id;
END;
--> statement-breakpoint
CREATE TRIGGER `plants_have_a_state` AFTER INSERT ON `plants`
BEGIN
	UPDATE `plants` SET topic = name WHERE id = NEW.id AND topic = '';
	INSERT INTO `plant_states` (plant_id) VALUES (NEW.id);
END;
