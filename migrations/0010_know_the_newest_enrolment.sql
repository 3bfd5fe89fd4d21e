ALTER TABLE `enrolments` ADD `last_import` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `import_rows` ADD `last_import_before` integer;
--> statement-breakpoint
UPDATE `enrolments` SET last_import = coalesce((
	SELECT max(import_id) FROM `import_rows` JOIN `imports` ON imports.id = import_id
	WHERE import_rows.student_id = enrolments.student_id AND enrolment_after <> coalesce(enrolment_before, '')
		AND (imports.year, imports.semester, imports.subject) = (enrolments.year, enrolments.semester, enrolments.subject)
), 0);
--> statement-breakpoint
DROP TRIGGER `import_rows_are_applied`;
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
DROP TRIGGER `import_rows_forget_the_deleted`;
--> statement-breakpoint
CREATE TRIGGER `import_rows_forget_the_deleted` AFTER DELETE ON `students`
BEGIN
	UPDATE `import_rows` SET student_before = NULL, student_after = '[]', enrolment_before = NULL, enrolment_after = NULL,
		last_import_before = NULL, last_term_before = NULL
	WHERE student_id = OLD.id;
END;
