-- The log held what was searched for, what entries and files were called and the names in reasons. Its trigger steps
-- aside once; what is left says what was done, when, by whom and to whose data.
DROP TRIGGER `access_log_is_append_only`;
--> statement-breakpoint
UPDATE `access_log` SET detail = json_set(detail, '$.filter.person', json('true'))
WHERE subject = 'access_log' AND json_type(detail, '$.filter.person') = 'text';
--> statement-breakpoint
UPDATE `access_log` SET detail = iif(detail ->> '$.filter' = '검색' OR detail ->> '$.filter' LIKE '%, 검색',
	json_set(json_remove(detail, '$.filter'), '$.search', json('true')), json_remove(detail, '$.filter'))
WHERE subject = 'student' AND json_type(detail, '$.filter') = 'text';
--> statement-breakpoint
UPDATE `access_log` SET detail = json_remove(detail, '$.description', '$.file') WHERE subject IN ('ledger_entry', 'receipt');
--> statement-breakpoint
-- A course that was never imported is whatever somebody wrote into an address.
UPDATE `access_log` SET detail = json_remove(detail, '$.filter.subject')
WHERE subject = 'enrolment' AND action = 'read'
	AND detail ->> '$.filter.subject' NOT IN (SELECT subject FROM `enrolments`)
	AND detail ->> '$.filter.subject' NOT IN (
		SELECT detail ->> '$.filter.subject' FROM `access_log`
		WHERE subject = 'enrolment' AND action = 'create' AND json_type(detail, '$.filter.subject') = 'text'
	);
--> statement-breakpoint
UPDATE `access_log` SET detail = json_set(detail, '$.reason', (
	WITH RECURSIVE
		`said` (text) AS (SELECT detail ->> '$.reason'),
		`words` (n, word) AS (
			SELECT row_number() OVER (ORDER BY length(word) DESC), word FROM (
				SELECT value AS word FROM `students`, json_each(json_array(students.name, students.id, students.email, students.tel))
				UNION SELECT value FROM `users`, json_each(json_array(users.name, users.univ_id, users.email))
				UNION SELECT name FROM `dues`
			), `said` WHERE length(word) > 1 AND instr(text, word) > 0
		),
		`masked` (n, text) AS (
			SELECT 0, text FROM `said`
			UNION ALL
			SELECT words.n, replace(masked.text, words.word, '○○○') FROM `masked` JOIN `words` ON words.n = masked.n + 1
		)
	SELECT text FROM `masked` ORDER BY n DESC LIMIT 1
))
WHERE json_type(detail, '$.reason') = 'text';
--> statement-breakpoint
CREATE TRIGGER `access_log_is_append_only` BEFORE UPDATE ON `access_log`
BEGIN
	SELECT RAISE(ABORT, 'the access log is append-only');
END;
