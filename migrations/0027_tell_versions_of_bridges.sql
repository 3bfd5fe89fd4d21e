ALTER TABLE `bridge_heartbeats` ADD `version` text;
