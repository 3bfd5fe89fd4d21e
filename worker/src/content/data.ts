import {
  CONTENT_VERSIONS_MAX,
  type Content,
  type ContentState,
  type PublishedVersion,
} from '#contract/content';
import { completeContent } from '#contract/content-schema';
import { peopleAndTopicNames, publicContent, type PublishedContent } from '#contract/public-content';
import type { Publications } from '#contract/publications';
import { firstVersion } from '#content/first-version';
import { contentProblems, type ContentProblem } from '#content/publication-rules';
import { statement, type Database } from '#db/client';
import { contentDraft, contentVersions } from '#db/content';
import { users } from '#db/users';
import { insertFrom, jsonObject } from '#db/sql';
import { desc, eq, notInArray, sql } from 'drizzle-orm';
import { logAction, logPerRow, logImportAuthorsRead } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { readPublications } from '#content/bibtex/read-publications';

const newest = (db: Database) => db.select().from(contentVersions).orderBy(desc(contentVersions.id)).limit(1);
const versionRow = (db: Database, id: number) =>
  db.select({ content: contentVersions.content }).from(contentVersions).where(eq(contentVersions.id, id));

const contentIn = (text: string) => completeContent(JSON.parse(text));

type Stored = typeof contentVersions.$inferSelect | undefined;
type Draft = typeof contentDraft.$inferSelect | undefined;

function stateOf(draft: Draft, version: Stored): ContentState {
  const published = version ? contentIn(version.content) : firstVersion;
  return {
    draft: draft ? contentIn(draft.content) : published,
    version: draft?.version ?? 0,
    published,
    publishedVersion: version?.id ?? 0,
  };
}

/** The draft and the published content, logging the access: both contain names that are not public. */
export async function readContent(db: Database, by: Actor): Promise<ContentState> {
  const [[draft], [version]] = await db.commit([
    db.select().from(contentDraft),
    newest(db),
    logAction(db, by, { action: 'read', subject: 'content' }),
  ]);
  return stateOf(draft, version);
}

/**
 * Stores the draft, unless somebody has stored another draft since this version.
 * @returns the stored draft; `isOutdated` if somebody else stored it
 */
export async function saveContentDraft(
  db: Database,
  by: Actor,
  version: number,
  draft: Content,
): Promise<ContentState & { isOutdated: boolean }> {
  const content = JSON.stringify(draft);
  const row = { id: 1, version: version + 1, content };
  const isFirst = sql`WHERE ${version} = 0 OR EXISTS (SELECT 1 FROM ${contentDraft})`;
  const [written, , [stored], [published]] = await db.commit([
    statement<{ version: number }>(
      db,
      sql`${insertFrom(contentDraft, row, isFirst)}
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, content = excluded.content
        WHERE ${contentDraft.version} = ${version} RETURNING version`,
    ),
    logPerRow(
      db,
      by,
      { action: 'change', subject: 'content', detail: jsonObject({ version: sql`${version + 1}` }) },
      sql`WHERE changes() > 0`,
    ),
    db.select().from(contentDraft),
    newest(db),
  ]);
  return { ...stateOf(stored, published), isOutdated: written.length === 0 };
}

/** Why a content cannot be published. */
export type PublicationRefusal = { problems: ContentProblem[] };

/**
 * Publishes a content, unless visitors see the same content already.
 * @param version the draft's expected version
 * @returns the number of the published version, or the problems of the content
 */
async function publish(
  db: Database,
  by: Actor & { id: number },
  content: Content,
  latest: Stored,
  version: number,
): Promise<number | PublicationRefusal | 'outdated'> {
  if (latest?.content === JSON.stringify(content)) return latest.id;
  const { papers, problems } = readPapers(content);
  problems.unshift(...contentProblems(content));
  if (problems.length > 0) return { problems };
  const row = {
    content: JSON.stringify(content),
    publications: JSON.stringify(papers),
    at: Date.now(),
    user_id: by.id,
  };
  const kept = db
    .select({ id: contentVersions.id })
    .from(contentVersions)
    .orderBy(desc(contentVersions.id))
    .limit(CONTENT_VERSIONS_MAX);
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${contentVersions} WHERE ${contentVersions.content} = ${row.content}
    AND ${contentVersions.id} = (SELECT max(${contentVersions.id}) FROM ${contentVersions}))`;
  const [[published], , , [now]] = await db.commit([
    statement<{ id: number }>(
      db,
      sql`${insertFrom(
        contentVersions,
        row,
        sql`WHERE coalesce((SELECT ${contentDraft.version} FROM ${contentDraft}), 0) = ${version} AND ${isNew}`,
      )} RETURNING id`,
    ),
    logPerRow(
      db,
      by,
      {
        action: 'create',
        subject: 'content',
        detail: jsonObject({ published: sql`(SELECT max(${contentVersions.id}) FROM ${contentVersions})` }),
      },
      sql`WHERE changes() > 0`,
    ),
    db.delete(contentVersions).where(notInArray(contentVersions.id, kept)),
    newest(db),
  ]);
  // Somebody else may have published the same content at the same moment.
  return published?.id ?? (now?.content === row.content ? now.id : 'outdated');
}

/** Publishes the draft, if it still has this version. */
export async function publishDraft(
  db: Database,
  by: Actor & { id: number },
  version: number | undefined,
): Promise<number | PublicationRefusal | 'outdated'> {
  const [[draft], [latest]] = await db.batch([db.select().from(contentDraft), newest(db)]);
  const state = stateOf(draft, latest);
  if (version !== undefined && version !== state.version) return 'outdated';
  return await publish(db, by, state.draft, latest, state.version);
}

/**
 * Publishes an earlier version again. The draft becomes this version too, unless it has unpublished changes.
 * A version that cannot be published (a release may require more texts) becomes the draft.
 * @returns the number of the new version, or the draft with its problems; undefined if the earlier version is
 * not stored any more
 */
export async function restoreContentVersion(
  db: Database,
  by: Actor & { id: number },
  id: number,
): Promise<number | (ContentState & PublicationRefusal) | 'outdated' | undefined> {
  const [[draft], [latest], [wanted]] = await db.batch([
    db.select().from(contentDraft),
    newest(db),
    versionRow(db, id),
  ]);
  if (!wanted && id !== 0) return undefined;
  const content = wanted ? contentIn(wanted.content) : firstVersion;
  const state = stateOf(draft, latest);
  const published = await publish(db, by, content, latest, state.version);
  if (typeof published === 'object') {
    const { isOutdated, ...changed } = await saveContentDraft(db, by, state.version, content);
    return isOutdated ? 'outdated' : { ...changed, ...published };
  }
  if (typeof published === 'number' && JSON.stringify(state.draft) === JSON.stringify(state.published))
    await saveContentDraft(db, by, state.version, content);
  return published;
}

/** Every stored version, newest first, and the version of the build; logs the access to authors' names. */
export async function listContentVersions(db: Database, by: Actor): Promise<PublishedVersion[]> {
  const [rows] = await db.commit([
    db
      .select({
        version: contentVersions.id,
        at: contentVersions.at,
        by: sql<string | null>`${users.name}`.as('by'),
      })
      .from(contentVersions)
      .leftJoin(users, eq(users.id, contentVersions.user_id))
      .orderBy(desc(contentVersions.id)),
    logImportAuthorsRead(db, by, contentVersions, contentVersions.user_id),
  ]);
  const stored = rows.map(({ version, at, by }) => ({ version, at: new Date(at).toISOString(), by }));
  return [...stored, { version: 0, at: null, by: null }];
}

/** One version, logging the access; undefined if it is not stored any more. */
export async function readContentVersion(db: Database, by: Actor, id: number): Promise<Content | undefined> {
  const [[row]] = await db.commit([
    versionRow(db, id),
    logAction(db, by, { action: 'read', subject: 'content' }),
  ]);
  if (row) return contentIn(row.content);
  return id === 0 ? firstVersion : undefined;
}

/**
 * What visitors would see if the draft were published now, logging the access. If the draft's BibTeX is
 * invalid, the preview shows the publications that are published now.
 */
export async function readContentPreview(db: Database, by: Actor): Promise<PublishedContent> {
  const [[draft], [latest]] = await db.commit([
    db.select().from(contentDraft),
    newest(db),
    logAction(db, by, { action: 'read', subject: 'content' }),
  ]);
  const { draft: content } = stateOf(draft, latest);
  const { papers, problems } = readPapers(content);
  const shown = latest ? JSON.parse(latest.publications) : readPapers(firstVersion).papers;
  const publications: Publications = problems.length === 0 ? papers : shown;
  const now = Date.now();
  return { version: 0, at: now, content: publicContent(content, publications, now), publications };
}

/** What visitors see, with all publications; undefined if nothing was ever published. */
export async function readPublishedContent(db: Database): Promise<PublishedContent | undefined> {
  const [row] = await newest(db);
  if (!row) return undefined;
  const publications: Publications = JSON.parse(row.publications);
  return {
    version: row.id,
    at: row.at,
    content: publicContent(contentIn(row.content), publications, Date.now()),
    publications,
  };
}

/** The laboratory's published email address, which is no secret. */
export async function readLabEmail(db: Database): Promise<string> {
  const [row] = await newest(db);
  return stateOf(undefined, row).published.lab.email.replace(' AT ', '@');
}

/** The people of the published content, in both languages, including those whose names are not public. */
export async function readPublishedPeople(db: Database): Promise<Content['people']> {
  const [row] = await newest(db);
  return stateOf(undefined, row).published.people;
}

const readPapers = (content: Content) => readPublications(content.publications, peopleAndTopicNames(content));
