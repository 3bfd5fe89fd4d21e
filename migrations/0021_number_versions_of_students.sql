ALTER TABLE `students` ADD `version` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `students_raise_version_on_update` AFTER UPDATE OF `name`, `department`, `tel`, `email` ON `students`
WHEN (new.name, new.department, new.tel, new.email) IS NOT (old.name, old.department, old.tel, old.email)
BEGIN
	UPDATE `students` SET version = version + 1 WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `enrolments_raise_version_on_update` AFTER UPDATE OF `no`, `school_year`, `type` ON `enrolments`
WHEN (new.no, new.school_year, new.type) IS NOT (old.no, old.school_year, old.type)
BEGIN
	UPDATE `students` SET version = version + 1 WHERE id = new.student_id;
END;
--> statement-breakpoint
DROP TRIGGER `students_last_term_on_insert`;
--> statement-breakpoint
CREATE TRIGGER `students_last_term_on_insert` AFTER INSERT ON `enrolments`
BEGIN
	UPDATE `students`
	SET last_term = (SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = new.student_id),
		version = version + 1
	WHERE id = new.student_id;
END;
--> statement-breakpoint
DROP TRIGGER `students_last_term_on_delete`;
--> statement-breakpoint
CREATE TRIGGER `students_last_term_on_delete` AFTER DELETE ON `enrolments`
BEGIN
	UPDATE `students`
	SET last_term = coalesce((SELECT max(year * 10 + semester) FROM `enrolments` WHERE student_id = old.student_id), last_term),
		version = version + 1
	WHERE id = old.student_id;
END;
