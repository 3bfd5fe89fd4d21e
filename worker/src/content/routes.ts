import { ADMIN } from '#contract/access-levels';
import { CONTENT_BYTES, type Content, type ContentState, type PublishedVersion } from '#contract/content';
import type { PublicContent } from '#contract/public-content';
import { contentSchema } from '#contract/content-schema';
import type { Publications } from '#contract/publications';
import type { ContentProblem } from '#content/problems';
import { database } from '#db/client';
import { ApiError, outdated } from '#http/api-error';
import { Hono } from 'hono';
import * as z from 'zod';
import { shareWithVisitors } from '../lib/answers.ts';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { jsonBody, rowId, validate } from '../lib/validate.ts';
import { requireLevel } from '../session/require-level.ts';
import {
  changeDraft,
  listVersions,
  publishDraft,
  readContent,
  readPublished,
  readVersion,
  restoreVersion,
} from './data.ts';

const bodySchema = z.object({ version: z.int().min(0), draft: z.unknown() });
const querySchema = z.object({ version: z.coerce.number().int().min(0).optional() });

const unknownVersion = () => new ApiError(404, { message: '보관하지 않는 버전입니다' });
const versionId = (text: string) => (text === '0' ? 0 : rowId(text));

/** How long another place of the edge may answer with what was published before. */
const SHARED = 'public, max-age=0, s-maxage=15, stale-if-error=604800';

/** The words of the public pages: a draft, and versions that were published. */
export const content = new Hono<AppEnv>()
  .get('/', requireLevel(ADMIN), async (c) => c.json<ContentState>(await readContent(c.var.db, actorOf(c))))

  .put('/', requireLevel(ADMIN), jsonBody(bodySchema, CONTENT_BYTES), async (c) => {
    const { version, draft } = c.req.valid('json');
    const { isOutdated, ...state } = await changeDraft(c.var.db, actorOf(c), version, contentOf(draft));
    if (isOutdated) throw outdated(state);
    return c.json<ContentState>(state);
  })

  .post('/publish', requireLevel(ADMIN), validate('query', querySchema), async (c) => {
    const published = await publishDraft(c.var.db, actorOf(c), c.req.valid('query').version);
    if (published === 'outdated') throw outdated(await readContent(c.var.db, actorOf(c)));
    if (typeof published === 'object') throw unpublishable(published.problems);
    return c.json({ version: published }, 201);
  })

  .get('/versions', requireLevel(ADMIN), async (c) =>
    c.json<PublishedVersion[]>(await listVersions(c.var.db, actorOf(c))),
  )

  .get('/versions/:id', requireLevel(ADMIN), async (c) => {
    const found = await readVersion(c.var.db, actorOf(c), versionId(c.req.param('id')));
    if (!found) throw unknownVersion();
    return c.json<Content>(found);
  })

  .post('/versions/:id/restore', requireLevel(ADMIN), async (c) => {
    const published = await restoreVersion(c.var.db, actorOf(c), versionId(c.req.param('id')));
    if (published === undefined) throw unknownVersion();
    if (typeof published === 'object') throw unpublishable(published.problems);
    return c.json({ version: published }, 201);
  })

  // The pages that the build has drawn say what was never changed: then there is nothing to answer with.
  .get('/published', async (c) => {
    const published = await readPublished(database(c.env.DB));
    shareWithVisitors(c, SHARED);
    c.header('etag', `"${published?.version ?? 0}"`);
    return c.json<{ version: number; content: PublicContent; publications: Publications } | null>(
      published ?? null,
    );
  });

/** @throws ApiError 400 naming the first field that does not fit, as in `news.0.text.en` */
function contentOf(draft: unknown): Content {
  const { data, error } = contentSchema.safeParse(draft);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = ['draft', ...(issue?.path ?? []), ...unknown].join('.');
  const isKorean = /\p{Script=Hangul}/u.test(issue?.message ?? '');
  throw new ApiError(400, { field, ...(isKorean && { message: issue?.message ?? '' }) });
}

function unpublishable([first, ...others]: ContentProblem[]): ApiError {
  const more = others.length > 0 ? ` (그 밖에 ${others.length}곳)` : '';
  return new ApiError(400, {
    field: first?.path ?? 'draft',
    message: `게시할 수 없습니다. ${first?.path}: ${first?.message}${more}`,
  });
}
