CREATE TABLE `replaced_subjects` (
	`import_id` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`grade` integer NOT NULL,
	`type` text NOT NULL,
	`score` real NOT NULL,
	`prof` text NOT NULL,
	`time` text NOT NULL,
	`classroom` text NOT NULL,
	`etc` text NOT NULL,
	PRIMARY KEY(`import_id`, `id`),
	FOREIGN KEY (`import_id`) REFERENCES `subject_imports`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `subject_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer,
	`department` text NOT NULL,
	`year` integer NOT NULL,
	`semester` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `subject_imports_by_term` ON `subject_imports` (`department`,`year`,`semester`);
--> statement-breakpoint
CREATE INDEX `subject_imports_by_user` ON `subject_imports` (`user_id`);
--> statement-breakpoint
CREATE TABLE `ledger_import_entries` (
	`entry_id` integer PRIMARY KEY NOT NULL,
	`import_id` integer NOT NULL,
	FOREIGN KEY (`import_id`) REFERENCES `ledger_imports`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_import_entries_by_import` ON `ledger_import_entries` (`import_id`);
--> statement-breakpoint
CREATE TABLE `ledger_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer,
	`run` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "ledger_imports_run" CHECK(length(run) BETWEEN 1 AND 64)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_imports_by_run` ON `ledger_imports` (`user_id`,`run`);
--> statement-breakpoint
ALTER TABLE `imports` ADD `user_id` integer REFERENCES users(id) ON DELETE set null;
--> statement-breakpoint
CREATE INDEX `imports_by_user` ON `imports` (`user_id`);
--> statement-breakpoint
DROP TRIGGER `imports_keep_the_newest`;
--> statement-breakpoint
CREATE TRIGGER `subject_imports_keep_what_they_replace` AFTER INSERT ON `subject_imports`
BEGIN
	DELETE FROM `subject_imports`
	WHERE id < NEW.id AND (department, year, semester) = (NEW.department, NEW.year, NEW.semester);
	INSERT INTO `replaced_subjects` (import_id, id, name, grade, type, score, prof, time, classroom, etc)
	SELECT NEW.id, id, name, grade, type, score, prof, time, classroom, etc FROM `subjects`
	WHERE (department, year, semester) = (NEW.department, NEW.year, NEW.semester);
END;
