ALTER TABLE `plant_states` ADD `name_en` text DEFAULT '' NOT NULL;
--> statement-breakpoint
DROP TRIGGER `plant_states_version_on_update`;
--> statement-breakpoint
CREATE TRIGGER `plant_states_version_on_update`
AFTER UPDATE OF `name_en`, `dry`, `wet`, `alert_below`, `alert_clear`, `stale_after_minutes`, `is_public`, `is_hidden` ON `plant_states`
BEGIN
	UPDATE `plant_states` SET version = version + 1 WHERE plant_id = new.plant_id;
END;
