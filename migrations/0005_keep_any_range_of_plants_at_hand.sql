CREATE TABLE `plant_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	CONSTRAINT "plant_retention_id" CHECK(id = 1)
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
	`alert_since` integer,
	`board_online` integer,
	`board_at` integer,
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "plant_states_calibration" CHECK((dry IS NULL) = (wet IS NULL) AND (dry IS NULL OR dry > wet)),
	CONSTRAINT "plant_states_alert" CHECK(0 <= alert_below AND alert_below < alert_clear AND alert_clear <= 100),
	CONSTRAINT "plant_states_stale" CHECK(stale_after_minutes > 0)
) STRICT;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `spool_depth` integer;--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `spool_oldest_at` integer;--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `spool_dead` integer;
--> statement-breakpoint
DELETE FROM `plant_readings` WHERE refused_time IS NOT NULL AND EXISTS (
	SELECT 1 FROM `plant_readings` AS earlier
	WHERE earlier.plant_id = plant_readings.plant_id AND earlier.refused_time = plant_readings.refused_time
		AND earlier.seq = plant_readings.seq AND earlier.measured_at < plant_readings.measured_at
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plant_readings_by_refused_time` ON `plant_readings` (`plant_id`,`refused_time`,`seq`) WHERE refused_time IS NOT NULL;
--> statement-breakpoint
INSERT INTO `plant_rollups` (plant_id, width, start, count, sum, lowest, highest)
SELECT plant_id, 300000, measured_at - measured_at % 300000 AS start, count(*), sum(soil_moisture),
	min((soil_moisture << 42) + measured_at), max((soil_moisture << 42) + measured_at)
FROM `plant_readings` GROUP BY plant_id, start;
--> statement-breakpoint
INSERT INTO `plant_rollups` (plant_id, width, start, count, sum, lowest, highest)
SELECT plant_id, wider.column1, start - start % wider.column1 AS wide_start, sum(count), sum(sum), min(lowest), max(highest)
FROM `plant_rollups`,
	(VALUES (1800000), (10800000), (86400000), (691200000), (5529600000), (44236800000)) AS wider
GROUP BY plant_id, wider.column1, wide_start;
--> statement-breakpoint
INSERT INTO `plant_states` (plant_id) SELECT id FROM `plants`;
--> statement-breakpoint
CREATE TRIGGER `plants_have_a_state` AFTER INSERT ON `plants`
BEGIN
	INSERT INTO `plant_states` (plant_id) VALUES (NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER `plant_states_raise_and_lift_the_alert`
AFTER UPDATE OF `last_soil_moisture`, `dry`, `wet`, `alert_below`, `alert_clear` ON `plant_states`
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
UPDATE `plant_states` SET
	readings = (SELECT count(*) FROM `plant_readings` AS reading WHERE reading.plant_id = plant_states.plant_id),
	last_received_at = (SELECT max(received_at) FROM `plant_readings` AS reading WHERE reading.plant_id = plant_states.plant_id),
	(last_measured_at, last_seq, last_soil_moisture) = (
		SELECT measured_at, seq, soil_moisture FROM `plant_readings` AS reading
		WHERE reading.plant_id = plant_states.plant_id ORDER BY measured_at DESC, seq DESC LIMIT 1
	);
--> statement-breakpoint
CREATE TRIGGER `plant_readings_are_rolled_up` AFTER INSERT ON `plant_readings`
BEGIN
	INSERT INTO `plant_rollups` (plant_id, width, start, count, sum, lowest, highest)
	SELECT NEW.plant_id, column1, NEW.measured_at - NEW.measured_at % column1, 1, NEW.soil_moisture,
		(NEW.soil_moisture << 42) + NEW.measured_at, (NEW.soil_moisture << 42) + NEW.measured_at
	FROM (VALUES (300000), (1800000), (10800000), (86400000), (691200000), (5529600000), (44236800000)) WHERE true
	ON CONFLICT (plant_id, width, start) DO UPDATE SET count = count + 1, sum = sum + excluded.sum,
		lowest = min(lowest, excluded.lowest), highest = max(highest, excluded.highest);
	UPDATE `plant_states` SET readings = readings + 1,
		last_received_at = max(coalesce(last_received_at, NEW.received_at), NEW.received_at)
	WHERE plant_id = NEW.plant_id;
	UPDATE `plant_states` SET last_measured_at = NEW.measured_at, last_seq = NEW.seq, last_soil_moisture = NEW.soil_moisture
	WHERE plant_id = NEW.plant_id
		AND (last_measured_at IS NULL OR (NEW.measured_at, NEW.seq) > (last_measured_at, last_seq));
END;
