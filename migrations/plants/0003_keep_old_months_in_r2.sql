CREATE TABLE `plant_months` (
	`plant_id` integer NOT NULL,
	`start` integer NOT NULL,
	`until` integer NOT NULL,
	`digest` text NOT NULL,
	`readings` integer NOT NULL,
	`is_emptied` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`plant_id`, `start`),
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "plant_months_until" CHECK(until > start)
) STRICT, WITHOUT ROWID;
