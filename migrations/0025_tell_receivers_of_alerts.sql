CREATE TABLE `outbox` (
	`receiver_id` integer NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`since` integer NOT NULL,
	`over_at` integer,
	`told_at` integer,
	`next_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`dropped_at` integer,
	PRIMARY KEY(`receiver_id`, `key`, `since`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `receiver_plants` (
	`receiver_id` integer NOT NULL,
	`plant_id` integer NOT NULL,
	PRIMARY KEY(`receiver_id`, `plant_id`),
	FOREIGN KEY (`receiver_id`) REFERENCES `receivers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `receiver_plants_by_plant` ON `receiver_plants` (`plant_id`);
--> statement-breakpoint
CREATE TABLE `receivers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`every_plant` integer NOT NULL,
	`line` integer NOT NULL,
	`quiet_from` text,
	`quiet_to` text,
	`created_at` integer NOT NULL,
	`told_at` integer,
	CONSTRAINT "receivers_every_plant" CHECK(every_plant IN (0, 1)),
	CONSTRAINT "receivers_line" CHECK(line IN (0, 1)),
	CONSTRAINT "receivers_quiet" CHECK((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT;
