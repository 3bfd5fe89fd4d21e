CREATE INDEX `users_unconfirmed` ON `users` (`univ_id`) WHERE univ_id IS NOT NULL AND univ_id_verified_at IS NULL;
