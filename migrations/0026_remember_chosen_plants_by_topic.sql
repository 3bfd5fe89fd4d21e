CREATE TABLE `receiver_topics` (
	`receiver_id` integer NOT NULL,
	`topic` text NOT NULL,
	PRIMARY KEY(`receiver_id`, `topic`),
	FOREIGN KEY (`receiver_id`) REFERENCES `receivers`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `receiver_topics` (receiver_id, topic)
SELECT receiver_id, topic FROM `receiver_plants` JOIN `plants` ON id = plant_id
-- One that was removed has given its topic up.
WHERE topic NOT LIKE '/%';
