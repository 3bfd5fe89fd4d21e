ALTER TABLE `plant_states` ADD `story` text;
--> statement-breakpoint
ALTER TABLE `plant_states` ADD `judged_at` integer;
--> statement-breakpoint
ALTER TABLE `plant_states` ADD `judged_readings` integer;
--> statement-breakpoint
DROP TRIGGER `plant_states_raise_and_lift_the_alert`;
--> statement-breakpoint
DROP TRIGGER `plant_states_look_for_waterings_again`;
--> statement-breakpoint
DELETE FROM `plant_waterings`;
--> statement-breakpoint
UPDATE `plant_states` SET waterings_until = 0;
