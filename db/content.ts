import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/* The content of the public pages, as JSON of contract/content.ts. Instants: milliseconds since 1970 UTC. */

/** At most one row. Without a row, the draft is the content of the build, with version 0. */
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

/** Published content, one row per publication; visitors see the newest. */
export const contentVersions = sqliteTable('content_versions', {
  id: integer().primaryKey({ autoIncrement: true }),
  content: text().notNull(),
  /** The publications parsed from the content's BibTeX, as JSON, because parsing is slow. */
  publications: text().notNull(),
  at: integer().notNull(),
  /** Without a foreign key, because a version stays when its editor is deleted. */
  user_id: integer().notNull(),
});
