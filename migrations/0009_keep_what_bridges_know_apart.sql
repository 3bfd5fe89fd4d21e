-- Nothing refers to `alerts`, and it has neither triggers nor indexes of its own: its rows are all of it.
CREATE TABLE `__new_alerts` (
	`key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`since` integer NOT NULL,
	`well_since` integer,
	`over_at` integer,
	`told_at` integer,
	CONSTRAINT "alerts_key" CHECK(key = kind || ':' || name)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_alerts`("key", "kind", "name", "since", "well_since", "over_at", "told_at") SELECT "key", "kind", "name", "since", "well_since", "over_at", "told_at" FROM `alerts`;--> statement-breakpoint
DROP TABLE `alerts`;--> statement-breakpoint
ALTER TABLE `__new_alerts` RENAME TO `alerts`;--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `signed_at` integer;--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `broker_heard_at` integer;--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `spool_known_at` integer;--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `spool_state` text;
--> statement-breakpoint
UPDATE `bridge_heartbeats` SET broker_heard_at = reported_at, spool_known_at = reported_at, spool_state = iif(spool_depth IS NULL, NULL, 'ok');
