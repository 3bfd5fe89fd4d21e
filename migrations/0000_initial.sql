CREATE TABLE `access_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` integer,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text,
	`detail` text DEFAULT '{}' NOT NULL,
	`request_id` text,
	CONSTRAINT "access_log_action" CHECK(action IN ('read', 'create', 'change', 'delete', 'export')),
	CONSTRAINT "access_log_detail" CHECK(json_type(detail) = 'object')
) STRICT;
--> statement-breakpoint
CREATE INDEX `access_log_by_time` ON `access_log` (`at`);
--> statement-breakpoint
CREATE TABLE `courses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`subject` text NOT NULL,
	`subject_en` text NOT NULL,
	`target` integer NOT NULL,
	`target_etc` text DEFAULT '' NOT NULL,
	`target_etc_en` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "courses_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "courses_semester" CHECK(semester BETWEEN 1 AND 4),
	CONSTRAINT "courses_subject" CHECK(subject <> '' AND subject_en <> ''),
	CONSTRAINT "courses_target" CHECK(target BETWEEN 0 AND 7)
) STRICT;
--> statement-breakpoint
CREATE INDEX `courses_by_term` ON `courses` (`year`,`semester`);
--> statement-breakpoint
CREATE TABLE `first_admins` (
	`email` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `log_reviews` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`month` text NOT NULL,
	`at` integer NOT NULL,
	`reviewer_id` integer NOT NULL,
	`remark` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `log_reviews_month_unique` ON `log_reviews` (`month`);
--> statement-breakpoint
CREATE TABLE `number_claims` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `number_claims_by_user` ON `number_claims` (`user_id`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_token_hash" CHECK(length(token_hash) = 64)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE TABLE `students` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`department` text DEFAULT '' NOT NULL,
	`tel` text DEFAULT '' NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`last_term` integer,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "students_id" CHECK(length(id) BETWEEN 4 AND 20 AND id NOT GLOB '*[^0-9A-Za-z-]*'),
	CONSTRAINT "students_name" CHECK(name <> '')
) STRICT;
--> statement-breakpoint
CREATE TABLE `used_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "used_tokens_token_hash" CHECK(length(token_hash) = 64)
) STRICT;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sub` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`univ_id` text,
	`univ_id_verified_at` integer,
	`secure_level` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "users_secure_level" CHECK(secure_level IN (1, 3, 5, 8, 10)),
	CONSTRAINT "users_univ_id" CHECK(univ_id GLOB '20[0-9][0-9][0-9][0-9][0-9][0-9]' OR univ_id GLOB '20[0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
	CONSTRAINT "users_univ_id_verified" CHECK(univ_id_verified_at IS NULL OR univ_id IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_sub_unique` ON `users` (`sub`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_univ_id_unique` ON `users` (`univ_id`);
--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);
--> statement-breakpoint
CREATE INDEX `users_unconfirmed` ON `users` (`univ_id`) WHERE univ_id IS NOT NULL AND univ_id_verified_at IS NULL;
--> statement-breakpoint
CREATE TABLE `enrolments` (
	`student_id` text NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`subject` text NOT NULL,
	`no` integer NOT NULL,
	`school_year` integer NOT NULL,
	`type` text NOT NULL,
	`last_import` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`student_id`, `year`, `semester`, `subject`),
	FOREIGN KEY (`student_id`) REFERENCES `students`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "enrolments_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "enrolments_semester" CHECK(semester BETWEEN 1 AND 2),
	CONSTRAINT "enrolments_subject" CHECK(subject <> '')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `enrolments_by_course` ON `enrolments` (`year`,`semester`,`subject`);
--> statement-breakpoint
CREATE TABLE `import_rows` (
	`import_id` integer NOT NULL,
	`student_id` text NOT NULL,
	`student_before` text,
	`student_after` text NOT NULL,
	`enrolment_before` text,
	`enrolment_after` text,
	`last_import_before` integer,
	`last_term_before` integer,
	PRIMARY KEY(`import_id`, `student_id`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_rows_by_student` ON `import_rows` (`student_id`);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`subject` text NOT NULL,
	`added` integer NOT NULL,
	`changed` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`removed` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `imports_by_user` ON `imports` (`user_id`);
--> statement-breakpoint
CREATE TABLE `pictures` (
	`student_id` text PRIMARY KEY NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`etag` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`uploaded_at` integer NOT NULL,
	FOREIGN KEY (`student_id`) REFERENCES `students`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "pictures_content_type" CHECK(content_type IN ('image/jpeg', 'image/png', 'image/webp'))
) STRICT;
--> statement-breakpoint
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
CREATE TABLE `roster_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`tag` text NOT NULL,
	`students` integer NOT NULL,
	CONSTRAINT "roster_version_id" CHECK(id = 1)
) STRICT;
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
CREATE TABLE `subjects` (
	`department` text NOT NULL,
	`year` integer NOT NULL,
	`semester` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`grade` integer NOT NULL,
	`type` text NOT NULL,
	`score` real NOT NULL,
	`prof` text NOT NULL,
	`time` text NOT NULL,
	`classroom` text NOT NULL,
	`etc` text NOT NULL,
	PRIMARY KEY(`department`, `year`, `semester`, `id`),
	CONSTRAINT "subjects_department" CHECK(department IN ('aics', 'cs', 'ai', 'sw', 'csg', 'swg')),
	CONSTRAINT "subjects_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "subjects_semester" CHECK(semester IN ('spring', 'summer', 'fall', 'winter')),
	CONSTRAINT "subjects_id" CHECK(id <> '' AND name <> '')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `dues` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`user_id` integer,
	`name` text NOT NULL,
	`entry_id` integer,
	`amount` integer,
	`user_deleted_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "dues_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "dues_semester" CHECK(semester BETWEEN 1 AND 2),
	CONSTRAINT "dues_name" CHECK(name <> '')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `dues_by_term` ON `dues` (`year`,`semester`,`user_id`);
--> statement-breakpoint
CREATE INDEX `dues_by_user` ON `dues` (`user_id`);
--> statement-breakpoint
CREATE INDEX `dues_by_entry` ON `dues` (`entry_id`);
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`amount` integer NOT NULL,
	`datetime` text NOT NULL,
	`description` text NOT NULL,
	`category` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "ledger_entries_amount" CHECK(abs(amount) BETWEEN 1 AND 1000000000000),
	CONSTRAINT "ledger_entries_datetime" CHECK(datetime IS strftime('%Y-%m-%dT13:00:00', datetime))
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_entries_by_time` ON `ledger_entries` (`datetime`);
--> statement-breakpoint
CREATE TABLE `ledger_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`entry_id` integer NOT NULL,
	`version` integer NOT NULL,
	`amount` integer NOT NULL,
	`datetime` text NOT NULL,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`replaced_at` integer NOT NULL,
	`replaced_by` integer NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_history_by_entry` ON `ledger_history` (`entry_id`,`version`);
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
CREATE TABLE `ledger_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`entry_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ledger_keys_key" CHECK(length(key) BETWEEN 1 AND 128),
	CONSTRAINT "ledger_keys_body_hash" CHECK(length(body_hash) = 64)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`tag` text NOT NULL,
	`entries` integer NOT NULL,
	CONSTRAINT "ledger_version_id" CHECK(id = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`entry_id` integer NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`uploaded_at` integer NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "receipts_id" CHECK(length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'),
	CONSTRAINT "receipts_name" CHECK(name <> ''),
	CONSTRAINT "receipts_content_type" CHECK(content_type IN ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
	CONSTRAINT "receipts_size" CHECK(size > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `receipts_by_entry` ON `receipts` (`entry_id`);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`detail` text,
	`since` integer NOT NULL,
	`well_since` integer,
	`over_at` integer,
	`told_at` integer,
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
CREATE TABLE `database_days` (
	`day` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`plants_size` integer,
	`readings` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `drills` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`ok` integer NOT NULL,
	`made_at` integer,
	`rows` integer,
	`files` integer,
	CONSTRAINT "drills_ok" CHECK(ok IN (0, 1)),
	CONSTRAINT "drills_counts" CHECK((ok = 1) = (made_at IS NOT NULL AND rows IS NOT NULL AND files IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE TABLE `outbox` (
	`receiver_id` integer NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`since` integer NOT NULL,
	`over_at` integer,
	`told_at` integer,
	`next_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`dropped_at` integer,
	PRIMARY KEY(`receiver_id`, `key`, `since`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `receiver_topics` (
	`receiver_id` integer NOT NULL,
	`topic` text NOT NULL,
	PRIMARY KEY(`receiver_id`, `topic`),
	FOREIGN KEY (`receiver_id`) REFERENCES `receivers`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `receivers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`every_plant` integer NOT NULL,
	`line` integer NOT NULL,
	`quiet_from` text,
	`quiet_to` text,
	`created_at` integer NOT NULL,
	`told_at` integer,
	CONSTRAINT "receivers_every_plant" CHECK(every_plant IN (0, 1)),
	CONSTRAINT "receivers_line" CHECK(line IN (0, 1)),
	CONSTRAINT "receivers_quiet" CHECK((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT;
--> statement-breakpoint
CREATE TABLE `task_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`ok` integer,
	`failure` text,
	CONSTRAINT "task_runs_name" CHECK(name IN ('retention', 'rollups', 'watch')),
	CONSTRAINT "task_runs_ok" CHECK(ok IN (0, 1))
) STRICT;
--> statement-breakpoint
INSERT INTO `roster_version` (id, tag, students) VALUES (1, lower(hex(randomblob(8))), 0);
--> statement-breakpoint
INSERT INTO `ledger_version` (id, tag, entries) VALUES (1, lower(hex(randomblob(8))), 0);
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
CREATE TRIGGER `courses_version_on_update` AFTER UPDATE ON `courses`
WHEN new.version = old.version
BEGIN
	UPDATE `courses` SET version = old.version + 1 WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `enrolments_raise_version_on_update` AFTER UPDATE OF `no`, `school_year`, `type` ON `enrolments`
WHEN (new.no, new.school_year, new.type) IS NOT (old.no, old.school_year, old.type)
BEGIN
	UPDATE `students` SET version = version + 1 WHERE id = new.student_id;
END;
--> statement-breakpoint
CREATE TRIGGER `enrolments_version_on_delete` AFTER DELETE ON `enrolments`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `enrolments_version_on_insert` AFTER INSERT ON `enrolments`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `enrolments_version_on_update` AFTER UPDATE ON `enrolments`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `students_last_term_on_delete` AFTER DELETE ON `enrolments`
BEGIN
	UPDATE `students`
	SET last_term = coalesce((SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = old.student_id), last_term),
		version = version + 1
	WHERE id = old.student_id;
END;
--> statement-breakpoint
CREATE TRIGGER `students_last_term_on_insert` AFTER INSERT ON `enrolments`
BEGIN
	UPDATE `students`
	SET last_term = (SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = new.student_id),
		version = version + 1
	WHERE id = new.student_id;
END;
--> statement-breakpoint
CREATE TRIGGER `import_rows_are_applied` AFTER INSERT ON `import_rows`
BEGIN
	INSERT INTO `students` (id, name, department, tel, email)
	SELECT NEW.student_id, NEW.student_after ->> 0, NEW.student_after ->> 1, NEW.student_after ->> 2, NEW.student_after ->> 3
	WHERE NEW.student_after IS NOT NEW.student_before
	ON CONFLICT (id) DO UPDATE SET
		name = excluded.name, department = excluded.department, tel = excluded.tel, email = excluded.email;
	INSERT INTO `enrolments` (student_id, year, semester, subject, no, school_year, type, last_import)
	SELECT NEW.student_id, year, semester, subject,
		NEW.enrolment_after ->> 0, NEW.enrolment_after ->> 1, NEW.enrolment_after ->> 2, id
	FROM `imports` WHERE id = NEW.import_id AND NEW.enrolment_after <> coalesce(NEW.enrolment_before, '')
	ON CONFLICT (student_id, year, semester, subject) DO UPDATE SET
		no = excluded.no, school_year = excluded.school_year, type = excluded.type, last_import = excluded.last_import;
	DELETE FROM `enrolments`
	WHERE NEW.enrolment_after IS NULL AND student_id = NEW.student_id
		AND (year, semester, subject) = (SELECT year, semester, subject FROM `imports` WHERE id = NEW.import_id);
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_version_on_update` AFTER UPDATE ON `ledger_entries`
WHEN new.version = old.version
BEGIN
	UPDATE `ledger_entries` SET version = old.version + 1 WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_version_on_delete` AFTER DELETE ON `ledger_entries`
BEGIN
	UPDATE `ledger_version` SET tag = lower(hex(randomblob(8))), entries = entries - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_version_on_insert` AFTER INSERT ON `ledger_entries`
BEGIN
	UPDATE `ledger_version` SET tag = lower(hex(randomblob(8))), entries = entries + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_version_on_update` AFTER UPDATE ON `ledger_entries`
BEGIN
	UPDATE `ledger_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_history_goes_with_its_entry` BEFORE DELETE ON `ledger_history`
WHEN EXISTS (SELECT 1 FROM `ledger_entries` WHERE id = OLD.entry_id)
BEGIN
	SELECT RAISE(ABORT, 'the history of an entry is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_history_is_append_only` BEFORE UPDATE ON `ledger_history`
BEGIN
	SELECT RAISE(ABORT, 'the history of an entry is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_reviews_are_append_only` BEFORE UPDATE ON `log_reviews`
BEGIN
	SELECT RAISE(ABORT, 'what was signed off stays as it is');
END;
--> statement-breakpoint
CREATE TRIGGER `log_reviews_are_kept_a_year` BEFORE DELETE ON `log_reviews`
WHEN OLD.at > (unixepoch() - 366 * 86400) * 1000
BEGIN
	SELECT RAISE(ABORT, 'what was signed off is kept for a year');
END;
--> statement-breakpoint
CREATE TRIGGER `pictures_version_on_delete` AFTER DELETE ON `pictures`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `pictures_version_on_insert` AFTER INSERT ON `pictures`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `import_rows_forget_the_deleted` AFTER DELETE ON `students`
BEGIN
	UPDATE `import_rows` SET student_before = NULL, student_after = '[]', enrolment_before = NULL, enrolment_after = NULL,
		last_import_before = NULL, last_term_before = NULL
	WHERE student_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER `students_raise_version_on_update` AFTER UPDATE OF `name`, `department`, `tel`, `email` ON `students`
WHEN (new.name, new.department, new.tel, new.email) IS NOT (old.name, old.department, old.tel, old.email)
BEGIN
	UPDATE `students` SET version = version + 1 WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_delete` AFTER DELETE ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8))), students = students - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_insert` AFTER INSERT ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8))), students = students + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_update` AFTER UPDATE OF `id`, `name`, `department`, `tel`, `email` ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `subject_imports_keep_what_they_replace` AFTER INSERT ON `subject_imports`
BEGIN
	DELETE FROM `subject_imports`
	WHERE id < NEW.id AND (department, year, semester) = (NEW.department, NEW.year, NEW.semester);
	INSERT INTO `replaced_subjects` (import_id, id, name, grade, type, score, prof, time, classroom, etc)
	SELECT NEW.id, id, name, grade, type, score, prof, time, classroom, etc FROM `subjects`
	WHERE (department, year, semester) = (NEW.department, NEW.year, NEW.semester);
END;
--> statement-breakpoint
CREATE TRIGGER `dues_remember_deleted_users` BEFORE DELETE ON `users`
BEGIN
	UPDATE `dues` SET user_deleted_at = unixepoch() * 1000 WHERE user_id = OLD.id;
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
