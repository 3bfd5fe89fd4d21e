CREATE TABLE `content_draft` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	CONSTRAINT "content_draft_is_one" CHECK(id = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `content_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`content` text NOT NULL,
	`publications` text NOT NULL,
	`at` integer NOT NULL,
	`user_id` integer NOT NULL
) STRICT;
