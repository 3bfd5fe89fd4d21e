ALTER TABLE `bridge_heartbeats` ADD `boards_passed_over` integer;
