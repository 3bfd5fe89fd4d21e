ALTER TABLE `plant_states` ADD `is_public` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `plant_states_one_is_public` ON `plant_states` (`is_public`) WHERE is_public = 1;
--> statement-breakpoint
DROP TRIGGER `plant_states_version_on_update`;
--> statement-breakpoint
CREATE TRIGGER `plant_states_version_on_update`
AFTER UPDATE OF `dry`, `wet`, `alert_below`, `alert_clear`, `stale_after_minutes`, `is_public` ON `plant_states`
BEGIN
	UPDATE `plant_states` SET version = version + 1 WHERE plant_id = new.plant_id;
END;
