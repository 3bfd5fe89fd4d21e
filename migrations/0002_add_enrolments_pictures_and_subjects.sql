CREATE TABLE `enrolments` (
	`student_id` text NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`subject` text NOT NULL,
	`no` integer NOT NULL,
	`school_year` integer NOT NULL,
	`type` text NOT NULL,
	PRIMARY KEY(`student_id`, `year`, `semester`, `subject`),
	FOREIGN KEY (`student_id`) REFERENCES `students`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "enrolments_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "enrolments_semester" CHECK(semester BETWEEN 1 AND 2),
	CONSTRAINT "enrolments_subject" CHECK(subject <> '')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `enrolments_by_course` ON `enrolments` (`year`,`semester`,`subject`);--> statement-breakpoint
CREATE TABLE `import_rows` (
	`import_id` integer NOT NULL,
	`student_id` text NOT NULL,
	`student_before` text,
	`student_after` text NOT NULL,
	`enrolment_before` text,
	`enrolment_after` text,
	PRIMARY KEY(`import_id`, `student_id`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_rows_by_student` ON `import_rows` (`student_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`subject` text NOT NULL,
	`added` integer NOT NULL,
	`changed` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`removed` integer NOT NULL
) STRICT;
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
CREATE TABLE `roster_version` (
	`id` integer PRIMARY KEY NOT NULL,
	`tag` text NOT NULL,
	`students` integer NOT NULL,
	CONSTRAINT "roster_version_id" CHECK(id = 1)
) STRICT;
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
INSERT INTO `roster_version` SELECT 1, lower(hex(randomblob(8))), count(*) FROM `students`;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_insert` AFTER INSERT ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8))), students = students + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_update` AFTER UPDATE ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_delete` AFTER DELETE ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8))), students = students - 1;
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
CREATE TRIGGER `enrolments_version_on_delete` AFTER DELETE ON `enrolments`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `pictures_version_on_insert` AFTER INSERT ON `pictures`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `pictures_version_on_delete` AFTER DELETE ON `pictures`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
CREATE TRIGGER `imports_keep_the_newest` AFTER INSERT ON `imports`
WHEN NEW.added + NEW.changed + NEW.removed > 0
BEGIN
	DELETE FROM `imports` WHERE id < NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER `import_rows_are_applied` AFTER INSERT ON `import_rows`
BEGIN
	INSERT INTO `students` (id, name, department, tel, email)
	SELECT NEW.student_id, NEW.student_after ->> 0, NEW.student_after ->> 1, NEW.student_after ->> 2, NEW.student_after ->> 3
	WHERE NEW.student_after IS NOT NEW.student_before
	ON CONFLICT (id) DO UPDATE SET
		name = excluded.name, department = excluded.department, tel = excluded.tel, email = excluded.email;
	INSERT INTO `enrolments` (student_id, year, semester, subject, no, school_year, type)
	SELECT NEW.student_id, year, semester, subject,
		NEW.enrolment_after ->> 0, NEW.enrolment_after ->> 1, NEW.enrolment_after ->> 2
	FROM `imports` WHERE id = NEW.import_id AND NEW.enrolment_after <> coalesce(NEW.enrolment_before, '')
	ON CONFLICT (student_id, year, semester, subject) DO UPDATE SET
		no = excluded.no, school_year = excluded.school_year, type = excluded.type;
	DELETE FROM `enrolments`
	WHERE NEW.enrolment_after IS NULL AND student_id = NEW.student_id
		AND (year, semester, subject) = (SELECT year, semester, subject FROM `imports` WHERE id = NEW.import_id);
END;
--> statement-breakpoint
CREATE TRIGGER `import_rows_forget_the_deleted` AFTER DELETE ON `students`
BEGIN
	UPDATE `import_rows` SET student_before = NULL, student_after = '[]', enrolment_before = NULL, enrolment_after = NULL
	WHERE student_id = OLD.id;
END;
