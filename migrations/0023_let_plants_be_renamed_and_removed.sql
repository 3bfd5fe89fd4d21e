CREATE TABLE `plant_removals` (
	`plant_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`removed_at` integer NOT NULL,
	`readings_left` integer NOT NULL,
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `plant_states` ADD `is_hidden` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `plants` ADD `topic` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE `plants` SET topic = name;
--> statement-breakpoint
CREATE UNIQUE INDEX `plants_topic_unique` ON `plants` (`topic`);
--> statement-breakpoint
DROP TRIGGER `plants_have_a_state`;
--> statement-breakpoint
CREATE TRIGGER `plants_have_a_state` AFTER INSERT ON `plants`
BEGIN
	UPDATE `plants` SET topic = name WHERE id = NEW.id AND topic = '';
	INSERT INTO `plant_states` (plant_id) VALUES (NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER `plants_raise_version_on_update` AFTER UPDATE OF `name` ON `plants`
BEGIN
	UPDATE `plant_states` SET version = version + 1 WHERE plant_id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER `plant_states_version_on_update`;
--> statement-breakpoint
CREATE TRIGGER `plant_states_version_on_update`
AFTER UPDATE OF `dry`, `wet`, `alert_below`, `alert_clear`, `stale_after_minutes`, `is_public`, `is_hidden` ON `plant_states`
BEGIN
	UPDATE `plant_states` SET version = version + 1 WHERE plant_id = new.plant_id;
END;
