-- The plants have a database of their own (docs/decisions/0042-the-plants-database.md). This one is applied last of an
-- upgrade: it refuses while rows stand here that `npm run deploy`, or `npm start`, has not moved.
CREATE TABLE IF NOT EXISTS `plants_moved` (`at` integer NOT NULL) STRICT;
--> statement-breakpoint
CREATE TABLE `plants_left` (
	`rows` integer NOT NULL,
	CONSTRAINT "the plants are not moved yet: npm run deploy moves them, or npm start" CHECK(rows = 0)
) STRICT;
--> statement-breakpoint
INSERT INTO `plants_left` (rows)
SELECT count(*) FROM (
	SELECT 1 FROM `plants`
	UNION ALL SELECT 1 FROM `plant_retention`
	UNION ALL SELECT 1 FROM `bridge_keys`
	UNION ALL SELECT 1 FROM `bridge_heartbeats`
	UNION ALL SELECT 1 FROM `refused_readings`
)
WHERE NOT EXISTS (SELECT 1 FROM `plants_moved`);
--> statement-breakpoint
DROP TABLE `plants_left`;
--> statement-breakpoint
DROP TABLE `plants_moved`;
--> statement-breakpoint
DROP TABLE `receiver_plants`;
--> statement-breakpoint
DROP TABLE `bridge_heartbeats`;
--> statement-breakpoint
DROP TABLE `bridge_keys`;
--> statement-breakpoint
DROP TABLE `plant_readings`;
--> statement-breakpoint
DROP TABLE `plant_removals`;
--> statement-breakpoint
DROP TABLE `plant_retention`;
--> statement-breakpoint
DROP TABLE `plant_rollup_watermark`;
--> statement-breakpoint
DROP TABLE `plant_rollups`;
--> statement-breakpoint
DROP TABLE `plant_states`;
--> statement-breakpoint
DROP TABLE `plants`;
--> statement-breakpoint
DROP TABLE `refused_readings`;
