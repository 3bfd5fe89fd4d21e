CREATE TABLE `drills` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`ok` integer NOT NULL,
	`made_at` integer,
	`rows` integer,
	`files` integer,
	CONSTRAINT "drills_ok" CHECK(ok IN (0, 1)),
	CONSTRAINT "drills_counts" CHECK((ok = 1) = (made_at IS NOT NULL AND rows IS NOT NULL AND files IS NOT NULL))
) STRICT;
