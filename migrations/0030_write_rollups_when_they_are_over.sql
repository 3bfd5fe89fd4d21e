CREATE TABLE `plant_rollup_watermark` (
	`id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	CONSTRAINT "plant_rollup_watermark_id" CHECK(id = 1),
	CONSTRAINT "plant_rollup_watermark_until" CHECK(until % 300000 = 0)
) STRICT;
--> statement-breakpoint
-- A new task_runs that keeps everything: what a deletion of its rows would reach steps aside and comes back.
CREATE TABLE `__kept_task_runs` AS SELECT * FROM `task_runs`;
--> statement-breakpoint
DROP TABLE `task_runs`;
--> statement-breakpoint
CREATE TABLE `task_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`ok` integer,
	`failure` text,
	CONSTRAINT "task_runs_name" CHECK(name IN ('retention', 'rollups', 'watch')),
	CONSTRAINT "task_runs_ok" CHECK(ok IN (0, 1))
) STRICT;
--> statement-breakpoint
INSERT INTO `task_runs` (`name`, `started_at`, `finished_at`, `ok`, `failure`) SELECT `name`, `started_at`, `finished_at`, `ok`, `failure` FROM `__kept_task_runs`;
--> statement-breakpoint
DROP TABLE `__kept_task_runs`;
--> statement-breakpoint
DROP TRIGGER `plant_readings_are_rolled_up`;
--> statement-breakpoint
-- Until now each reading was in every interval from the start. A day back, so that what an older version of ingest
-- stores without the trigger, while this is being deployed, is of intervals that are not written yet.
INSERT INTO `plant_rollup_watermark` (id, until) VALUES (1, (unixepoch() - 86400) / 300 * 300000);
--> statement-breakpoint
DELETE FROM `plant_rollups` WHERE start + width > (SELECT until FROM `plant_rollup_watermark`);
--> statement-breakpoint
DROP TRIGGER `plant_states_raise_and_lift_the_alert`;
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
