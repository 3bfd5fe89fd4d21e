CREATE TABLE `refused_readings` (
	`reading` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`refused_at` integer NOT NULL
) STRICT;
