CREATE INDEX `access_log_renumbered` ON `access_log` (`subject_id`) WHERE detail ->> '$.number' IS NOT NULL;
