CREATE TABLE `plant_groups_gone` (
	`plant_group` text PRIMARY KEY NOT NULL,
	`closed_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `plant_homes` (
	`plant_group` text PRIMARY KEY NOT NULL,
	`home` text NOT NULL,
	`moving_to` text,
	`leased_until` integer DEFAULT 0 NOT NULL
) STRICT;
