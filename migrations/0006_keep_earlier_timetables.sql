DROP TRIGGER `subject_imports_keep_what_they_replace`;
--> statement-breakpoint
CREATE TRIGGER `subject_imports_keep_what_they_replace` AFTER INSERT ON `subject_imports`
BEGIN
	INSERT INTO `replaced_subjects` (import_id, id, name, grade, type, score, prof, time, classroom, etc)
	SELECT NEW.id, id, name, grade, type, score, prof, time, classroom, etc FROM `subjects`
	WHERE (department, year, semester) = (NEW.department, NEW.year, NEW.semester);
END;
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
	FROM `imports` WHERE id = NEW.import_id AND NEW.enrolment_after IS NOT NULL
	ON CONFLICT (student_id, year, semester, subject) DO UPDATE SET
		no = iif(excluded.no = 0, no, excluded.no),
		school_year = iif(excluded.school_year = 0, school_year, excluded.school_year),
		type = iif(excluded.type = '', type, excluded.type),
		last_import = excluded.last_import
	WHERE excluded.no NOT IN (0, no) OR excluded.school_year NOT IN (0, school_year) OR excluded.type NOT IN ('', type);
	DELETE FROM `enrolments`
	WHERE NEW.enrolment_after IS NULL AND student_id = NEW.student_id
		AND (year, semester, subject) = (SELECT year, semester, subject FROM `imports` WHERE id = NEW.import_id);
END;
