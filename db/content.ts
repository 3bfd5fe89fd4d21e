import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/* The words of the public pages, as JSON of contract/content.ts. Instants are milliseconds since 1970 UTC. */

/** One row at most: without it the draft is the content that the product was built with, of version 0. */
export const contentDraft = sqliteTable(
  'content_draft',
  {
    id: integer().primaryKey(),
    /** Rises with each change. */
    version: integer().notNull(),
    content: text().notNull(),
  },
  () => [check('content_draft_is_one', sql`id = 1`)],
);

/** What has been published, one row each time; the newest is what visitors see. */
export const contentVersions = sqliteTable('content_versions', {
  id: integer().primaryKey({ autoIncrement: true }),
  content: text().notNull(),
  /** What its BibTeX says, as JSON: reading it is dear. */
  publications: text().notNull(),
  at: integer().notNull(),
  /** Without a foreign key, because a version outlives its editor. */
  user_id: integer().notNull(),
});
