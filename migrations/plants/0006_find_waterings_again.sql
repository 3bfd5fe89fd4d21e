DELETE FROM `plant_waterings`;
--> statement-breakpoint
UPDATE `plant_states` SET waterings_until = 0;
