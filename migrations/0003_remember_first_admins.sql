CREATE TABLE `first_admins` (
	`email` text PRIMARY KEY NOT NULL
) STRICT;
