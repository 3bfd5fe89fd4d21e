CREATE TABLE `alerts` (
	`key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`since` integer NOT NULL,
	`well_since` integer,
	`over_at` integer,
	`told_at` integer,
	CONSTRAINT "alerts_kind" CHECK(kind IN ('board', 'bridge', 'spool', 'backup')),
	CONSTRAINT "alerts_key" CHECK(key = kind || ':' || name)
) STRICT;
--> statement-breakpoint
CREATE TABLE `backups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`ok` integer NOT NULL,
	`rows` integer,
	`files` integer,
	`bytes` integer,
	CONSTRAINT "backups_ok" CHECK(ok IN (0, 1)),
	CONSTRAINT "backups_counts" CHECK((ok = 1) = (rows IS NOT NULL AND files IS NOT NULL AND bytes IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE TABLE `task_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`ok` integer,
	CONSTRAINT "task_runs_name" CHECK(name IN ('retention', 'watch')),
	CONSTRAINT "task_runs_ok" CHECK(ok IN (0, 1))
) STRICT;
--> statement-breakpoint
ALTER TABLE `access_log` ADD `request_id` text;--> statement-breakpoint
ALTER TABLE `dues` ADD `user_deleted_at` integer;
--> statement-breakpoint
-- Before the foreign key forgets whose name it is.
CREATE TRIGGER `dues_remember_deleted_users` BEFORE DELETE ON `users`
BEGIN
	UPDATE `dues` SET user_deleted_at = unixepoch() * 1000 WHERE user_id = OLD.id;
END;
