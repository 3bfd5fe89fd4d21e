ALTER TABLE `database_days` ADD `plants_size` integer;
