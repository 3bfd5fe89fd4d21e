CREATE TABLE `access_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` integer,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text,
	`detail` text DEFAULT '{}' NOT NULL,
	CONSTRAINT "access_log_action" CHECK(action IN ('read', 'create', 'change', 'delete', 'export')),
	CONSTRAINT "access_log_detail" CHECK(json_type(detail) = 'object')
) STRICT;
--> statement-breakpoint
CREATE INDEX `access_log_by_time` ON `access_log` (`at`);--> statement-breakpoint
CREATE TABLE `students` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`department` text DEFAULT '' NOT NULL,
	`tel` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	CONSTRAINT "students_id" CHECK(length(id) BETWEEN 4 AND 20 AND id NOT GLOB '*[^0-9A-Za-z-]*'),
	CONSTRAINT "students_name" CHECK(name <> '')
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `access_log_is_append_only` BEFORE UPDATE ON `access_log`
BEGIN
	SELECT RAISE(ABORT, 'the access log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `access_log_is_kept_a_year` BEFORE DELETE ON `access_log`
WHEN OLD.at > (unixepoch() - 366 * 86400) * 1000
BEGIN
	SELECT RAISE(ABORT, 'the access log is kept for a year');
END;
--> statement-breakpoint
CREATE TRIGGER `users_keep_an_admin_on_change` BEFORE UPDATE OF `secure_level` ON `users`
WHEN OLD.secure_level = 1 AND NEW.secure_level <> 1
	AND NOT EXISTS (SELECT 1 FROM `users` WHERE secure_level = 1 AND id <> OLD.id)
BEGIN
	SELECT RAISE(ABORT, 'the last admin stays');
END;
--> statement-breakpoint
CREATE TRIGGER `users_keep_an_admin_on_delete` BEFORE DELETE ON `users`
WHEN OLD.secure_level = 1
	AND NOT EXISTS (SELECT 1 FROM `users` WHERE secure_level = 1 AND id <> OLD.id)
BEGIN
	SELECT RAISE(ABORT, 'the last admin stays');
END;
