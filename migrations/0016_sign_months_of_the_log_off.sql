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
