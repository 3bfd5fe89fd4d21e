CREATE TABLE `removed_topics` (
	`topic` text PRIMARY KEY NOT NULL,
	`removed_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `boards_reconnecting` text;
