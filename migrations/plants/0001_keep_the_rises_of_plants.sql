CREATE TABLE `plant_rise_backlog` (
	`plant_id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`changes` integer NOT NULL,
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `plant_rises` (
	`plant_id` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`before_at` integer NOT NULL,
	`before` integer NOT NULL,
	`top_at` integer NOT NULL,
	`top` integer NOT NULL,
	`is_watering` integer NOT NULL,
	PRIMARY KEY(`plant_id`, `seen_at`),
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `plant_rollup_watermark` ADD `rises_until` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `plant_rollup_watermark` ADD `rises_step` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What was found in percent of another calibration is looked for again.
CREATE TRIGGER `plant_states_reopen_rises`
AFTER UPDATE OF `dry`, `wet` ON `plant_states`
WHEN NEW.dry IS NOT OLD.dry OR NEW.wet IS NOT OLD.wet
BEGIN
	INSERT INTO `plant_rise_backlog` (plant_id, since, changes) VALUES (NEW.plant_id, 0, 1)
	ON CONFLICT DO UPDATE SET since = 0, changes = changes + 1;
END;
