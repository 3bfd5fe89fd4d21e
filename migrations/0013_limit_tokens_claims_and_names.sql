CREATE TABLE `number_claims` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `number_claims_by_user` ON `number_claims` (`user_id`);
--> statement-breakpoint
CREATE TABLE `used_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL,
	CONSTRAINT "used_tokens_token_hash" CHECK(length(token_hash) = 64)
) STRICT;
--> statement-breakpoint
-- Names from tokens were stored as they came. Controls become spaces, what is not seen or turns the direction goes.
UPDATE `users` SET name = (
	WITH RECURSIVE `cleaned` (rest, done) AS (
		SELECT name, ''
		UNION ALL
		SELECT substr(rest, 2), done || CASE
			WHEN unicode(rest) < 32 OR unicode(rest) BETWEEN 127 AND 159 OR unicode(rest) IN (8232, 8233) THEN ' '
			WHEN unicode(rest) IN (173, 1564, 6158, 8203, 8206, 8207, 65279) OR unicode(rest) BETWEEN 8234 AND 8238
				OR unicode(rest) BETWEEN 8288 AND 8303 THEN ''
			ELSE substr(rest, 1, 1) END
		FROM `cleaned` WHERE rest <> ''
	)
	SELECT trim(substr(trim(done), 1, 100)) FROM `cleaned` WHERE rest = ''
);
--> statement-breakpoint
UPDATE `users` SET name = substr(email, 1, 100) WHERE name = '';
--> statement-breakpoint
UPDATE `dues` SET name = coalesce(nullif((
	WITH RECURSIVE `cleaned` (rest, done) AS (
		SELECT name, ''
		UNION ALL
		SELECT substr(rest, 2), done || CASE
			WHEN unicode(rest) < 32 OR unicode(rest) BETWEEN 127 AND 159 OR unicode(rest) IN (8232, 8233) THEN ' '
			WHEN unicode(rest) IN (173, 1564, 6158, 8203, 8206, 8207, 65279) OR unicode(rest) BETWEEN 8234 AND 8238
				OR unicode(rest) BETWEEN 8288 AND 8303 THEN ''
			ELSE substr(rest, 1, 1) END
		FROM `cleaned` WHERE rest <> ''
	)
	SELECT trim(substr(trim(done), 1, 100)) FROM `cleaned` WHERE rest = ''
), ''), '이름 없음') WHERE user_id IS NOT NULL OR user_deleted_at IS NOT NULL;
--> statement-breakpoint
-- An address without a part of it may be somebody else's: what does not belong there is made plain, until its owner comes.
UPDATE `users` SET email = (
	WITH RECURSIVE `cleaned` (rest, done) AS (
		SELECT email, ''
		UNION ALL
		SELECT substr(rest, 2), done || iif(
			unicode(rest) < 33 OR unicode(rest) BETWEEN 127 AND 160 OR unicode(rest) IN (173, 1564, 6158, 65279)
				OR unicode(rest) BETWEEN 8203 AND 8207 OR unicode(rest) BETWEEN 8232 AND 8238 OR unicode(rest) BETWEEN 8288 AND 8303,
			'�', substr(rest, 1, 1))
		FROM `cleaned` WHERE rest <> ''
	)
	SELECT iif(length(done) > 254, substr(done, 1, 253) || '�', done) FROM `cleaned` WHERE rest = ''
);
