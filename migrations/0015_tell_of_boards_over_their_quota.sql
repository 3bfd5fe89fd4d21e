ALTER TABLE `bridge_heartbeats` ADD `over_quota` text;
--> statement-breakpoint
ALTER TABLE `bridge_heartbeats` ADD `over_quota_at` integer;
