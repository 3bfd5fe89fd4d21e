ALTER TABLE `students` ADD `last_term` integer;--> statement-breakpoint
ALTER TABLE `import_rows` ADD `last_term_before` integer;--> statement-breakpoint
DROP TRIGGER `students_version_on_update`;
--> statement-breakpoint
CREATE TRIGGER `students_version_on_update` AFTER UPDATE OF `id`, `name`, `department`, `tel`, `email` ON `students`
BEGIN
	UPDATE `roster_version` SET tag = lower(hex(randomblob(8)));
END;
--> statement-breakpoint
UPDATE `students` SET last_term = (SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = students.id);
--> statement-breakpoint
CREATE TRIGGER `students_last_term_on_insert` AFTER INSERT ON `enrolments`
BEGIN
	UPDATE `students` SET last_term = (SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = NEW.student_id)
	WHERE id = NEW.student_id;
END;
--> statement-breakpoint
CREATE TRIGGER `students_last_term_on_delete` AFTER DELETE ON `enrolments`
BEGIN
	UPDATE `students`
	SET last_term = coalesce((SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = OLD.student_id), last_term)
	WHERE id = OLD.student_id;
END;
--> statement-breakpoint
DROP TRIGGER `import_rows_forget_the_deleted`;
--> statement-breakpoint
CREATE TRIGGER `import_rows_forget_the_deleted` AFTER DELETE ON `students`
BEGIN
	UPDATE `import_rows` SET student_before = NULL, student_after = '[]', enrolment_before = NULL, enrolment_after = NULL,
		last_term_before = NULL
	WHERE student_id = OLD.id;
END;
