CREATE TABLE `database_days` (
	`day` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`readings` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `certificate_until` integer;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `disk_free` integer;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `disk_size` integer;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `dead_at` integer;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `dead_boards` text;
--> statement-breakpoint
ALTER TABLE `alerts` ADD `detail` text;
--> statement-breakpoint
ALTER TABLE `task_runs` ADD `failure` text;
