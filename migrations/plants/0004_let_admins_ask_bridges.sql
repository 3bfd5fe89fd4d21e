CREATE TABLE `bridge_tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bridge_id` text NOT NULL,
	`task` text NOT NULL,
	`created_at` integer NOT NULL,
	`taken_at` integer,
	`done_at` integer,
	`result` text,
	CONSTRAINT "bridge_tasks_task" CHECK(json_type(task) = 'object'),
	CONSTRAINT "bridge_tasks_result" CHECK((result IS NULL) = (done_at IS NULL))
) STRICT;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `tasks` text;
