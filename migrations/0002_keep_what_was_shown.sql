ALTER TABLE `students` ADD `by_hand` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE `import_rows` ADD `student_shown` text;
--> statement-breakpoint
UPDATE `import_rows` SET student_shown = student_after WHERE student_listed IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER `import_rows_forget_the_deleted`;
--> statement-breakpoint
CREATE TRIGGER `import_rows_forget_the_deleted` AFTER DELETE ON `students`
BEGIN
	UPDATE `import_rows` SET student_before = NULL, student_after = '[]', student_listed = NULL, student_shown = NULL,
		enrolment_before = NULL, enrolment_after = NULL, last_import_before = NULL, last_term_before = NULL, corrected = NULL
	WHERE student_id = OLD.id;
END;
