ALTER TABLE `bridge_keys` ADD `plant_group` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- A bridge has one heartbeat, which tells of one group.
CREATE TRIGGER `bridge_keys_of_a_bridge_are_of_one_group_on_insert` AFTER INSERT ON `bridge_keys`
WHEN EXISTS (SELECT 1 FROM `bridge_keys` WHERE bridge_id = NEW.bridge_id AND plant_group <> NEW.plant_group)
BEGIN
	SELECT RAISE(ABORT, 'all keys of a bridge are of one group');
END;
--> statement-breakpoint
CREATE TRIGGER `bridge_keys_of_a_bridge_are_of_one_group_on_update`
AFTER UPDATE OF `bridge_id`, `plant_group` ON `bridge_keys`
WHEN EXISTS (SELECT 1 FROM `bridge_keys` WHERE bridge_id = NEW.bridge_id AND plant_group <> NEW.plant_group)
BEGIN
	SELECT RAISE(ABORT, 'all keys of a bridge are of one group');
END;
