ALTER TABLE `courses` ADD `version` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `version` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `plant_states` ADD `version` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `courses_version_on_update` AFTER UPDATE ON `courses`
WHEN new.version = old.version
BEGIN
	UPDATE `courses` SET version = old.version + 1 WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `plant_states_version_on_update`
AFTER UPDATE OF `dry`, `wet`, `alert_below`, `alert_clear`, `stale_after_minutes` ON `plant_states`
BEGIN
	UPDATE `plant_states` SET version = version + 1 WHERE plant_id = new.plant_id;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_version_on_update` AFTER UPDATE ON `ledger_entries`
WHEN new.version = old.version
BEGIN
	UPDATE `ledger_entries` SET version = old.version + 1 WHERE id = new.id;
END;
