ALTER TABLE `import_rows` ADD `student_listed` text;
--> statement-breakpoint
ALTER TABLE `import_rows` ADD `corrected` text;
--> statement-breakpoint
UPDATE `import_rows` SET student_listed = student_after WHERE enrolment_after IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER `import_rows_forget_the_deleted`;
--> statement-breakpoint
CREATE TRIGGER `import_rows_forget_the_deleted` AFTER DELETE ON `students`
BEGIN
	UPDATE `import_rows` SET student_before = NULL, student_after = '[]', student_listed = NULL, enrolment_before = NULL,
		enrolment_after = NULL, last_import_before = NULL, last_term_before = NULL, corrected = NULL
	WHERE student_id = OLD.id;
END;
