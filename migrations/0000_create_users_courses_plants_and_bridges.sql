CREATE TABLE `bridge_heartbeats` (
	`bridge_id` text PRIMARY KEY NOT NULL,
	`broker_connected` integer NOT NULL,
	`reported_at` integer NOT NULL,
	`valid_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `bridge_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bridge_id` text NOT NULL,
	`key` text NOT NULL,
	`plants` text,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	CONSTRAINT "bridge_keys_key" CHECK(length(key) >= 32),
	CONSTRAINT "bridge_keys_plants" CHECK(plants IS NULL OR json_type(plants) = 'array')
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `bridge_keys_by_bridge` ON `bridge_keys` (`bridge_id`,`key`);--> statement-breakpoint
CREATE TABLE `courses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`year` integer NOT NULL,
	`semester` integer NOT NULL,
	`subject` text NOT NULL,
	`subject_en` text NOT NULL,
	`target` integer NOT NULL,
	`target_etc` text DEFAULT '' NOT NULL,
	CONSTRAINT "courses_year" CHECK(year BETWEEN 2021 AND 2050),
	CONSTRAINT "courses_semester" CHECK(semester BETWEEN 1 AND 4),
	CONSTRAINT "courses_subject" CHECK(subject <> '' AND subject_en <> ''),
	CONSTRAINT "courses_target" CHECK(target BETWEEN 0 AND 7)
) STRICT;
--> statement-breakpoint
CREATE INDEX `courses_by_term` ON `courses` (`year`,`semester`);--> statement-breakpoint
CREATE TABLE `plant_readings` (
	`plant_id` integer NOT NULL,
	`measured_at` integer NOT NULL,
	`seq` integer NOT NULL,
	`soil_moisture` integer NOT NULL,
	`received_at` integer NOT NULL,
	`refused_time` integer,
	PRIMARY KEY(`plant_id`, `measured_at`, `seq`),
	FOREIGN KEY (`plant_id`) REFERENCES `plants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "plant_readings_soil_moisture" CHECK(soil_moisture BETWEEN 0 AND 1023)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `plants` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	CONSTRAINT "plants_name" CHECK(length(name) BETWEEN 1 AND 64)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `plants_name_unique` ON `plants` (`name`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_token_hash" CHECK(length(token_hash) = 64)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sub` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`univ_id` text,
	`univ_id_verified_at` integer,
	`secure_level` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "users_secure_level" CHECK(secure_level IN (1, 3, 5, 8, 10)),
	CONSTRAINT "users_univ_id" CHECK(univ_id GLOB '20[0-9][0-9][0-9][0-9][0-9][0-9]' OR univ_id GLOB '20[0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
	CONSTRAINT "users_univ_id_verified" CHECK(univ_id_verified_at IS NULL OR univ_id IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_sub_unique` ON `users` (`sub`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_univ_id_unique` ON `users` (`univ_id`);--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);