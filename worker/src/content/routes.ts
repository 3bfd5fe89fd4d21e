import { hasAccess, screenLevels } from '#contract/access-levels';
import { CONTENT_BYTES_MAX, type Content, type ContentState, type PublishedVersion } from '#contract/content';
import type { PublishedContent } from '#contract/public-content';
import { PICTURE_BYTES_MAX } from '#contract/pictures';
import { contentSchema } from '#contract/content-schema';
import type { ContentProblem } from '#content/publication-rules';
import { database } from '#db/client';
import { ApiError, outdatedError } from '#http/api-error';
import { Hono } from 'hono';
import * as z from 'zod';
import { apiSecurityHeaders } from '#http/security-headers';
import { cacheForVisitors } from '../lib/responses.ts';
import { readFormFiles } from '../lib/form-files.ts';
import { parsePicture } from '../lib/images/image.ts';
import { limitUploads } from '../lib/rate-limit.ts';
import { fetchBibtexOfDoi } from './doi.ts';
import { isPhotographPublished, readPhotograph, storePhotograph } from './pictures-data.ts';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { jsonBody, requireEmptyBody, parseRowId, validate } from '../lib/validate.ts';
import { requireLevel } from '../session/require-level.ts';
import { sessionUser } from '../session/session.ts';
import {
  saveContentDraft,
  readLabEmail,
  listContentVersions,
  publishDraft,
  readContent,
  readContentPreview,
  readPublishedContent,
  readContentVersion,
  restoreContentVersion,
} from './data.ts';

const bodySchema = z.object({ version: z.int().min(0), draft: z.unknown() });
const querySchema = z.object({ version: z.coerce.number().int().min(0).optional() });

const doiSchema = z.object({ doi: z.string().max(300) });

/** Browsers scale a photograph to three widths and send all of them. */
const PHOTOGRAPH_LIMITS = { files: 4, fileBytes: PICTURE_BYTES_MAX, bytes: 2 * PICTURE_BYTES_MAX };

const unknownVersion = () => new ApiError(404, { message: '보관하지 않는 버전입니다' });
const versionId = (text: string) => (text === '0' ? 0 : parseRowId(text));

/** How long other locations of the edge may answer with older published content. */
const SHARED = 'public, max-age=0, s-maxage=15, stale-if-error=604800';

const guard = requireLevel(screenLevels.content);

export const content = new Hono<AppEnv>()
  .get('/', guard, async (c) => c.json<ContentState>(await readContent(c.var.db, actorOf(c))))

  .put('/', guard, jsonBody(bodySchema, CONTENT_BYTES_MAX), async (c) => {
    const { version, draft } = c.req.valid('json');
    const { isOutdated, ...state } = await saveContentDraft(c.var.db, actorOf(c), version, contentOf(draft));
    if (isOutdated) throw outdatedError(state);
    return c.json<ContentState>(state);
  })

  .post('/publish', guard, requireEmptyBody, validate('query', querySchema), async (c) => {
    const published = await publishDraft(c.var.db, actorOf(c), c.req.valid('query').version);
    if (published === 'outdated') throw outdatedError(await readContent(c.var.db, actorOf(c)));
    if (typeof published === 'object') throw unpublishable(published.problems);
    return c.json({ version: published }, 201);
  })

  .get('/versions', guard, async (c) =>
    c.json<PublishedVersion[]>(await listContentVersions(c.var.db, actorOf(c))),
  )

  .get('/versions/:id', guard, async (c) => {
    const found = await readContentVersion(c.var.db, actorOf(c), versionId(c.req.param('id')));
    if (!found) throw unknownVersion();
    return c.json<Content>(found);
  })

  .post('/versions/:id/restore', guard, requireEmptyBody, async (c) => {
    const published = await restoreContentVersion(c.var.db, actorOf(c), versionId(c.req.param('id')));
    if (published === undefined) throw unknownVersion();
    if (published === 'outdated') throw outdatedError(await readContent(c.var.db, actorOf(c)));
    // A version that cannot be published has become the draft; `problems` says what is missing.
    if (typeof published === 'object') return c.json(published, 200);
    return c.json({ version: published }, 201);
  })

  .get('/doi', guard, validate('query', doiSchema), async (c) => {
    const mail = await readLabEmail(c.var.db);
    return c.json({ bibtex: await fetchBibtexOfDoi(c.req.valid('query').doi, mail) });
  })

  .get('/preview', guard, async (c) =>
    c.json<PublishedContent>(await readContentPreview(c.var.db, actorOf(c))),
  )

  // One photograph, in several widths.
  .post('/pictures', guard, limitUploads, async (c) => {
    const files = await readFormFiles(c, 'images', PHOTOGRAPH_LIMITS);
    const pictures = await Promise.all(files.map(async (file) => parsePicture(await file.bytes())));
    const wrong = pictures.find((picture) => 'reason' in picture);
    if (wrong || pictures.length === 0)
      throw new ApiError(wrong?.isImage ? 400 : 415, {
        field: 'images',
        message: wrong?.reason ?? '올릴 파일이 없습니다',
      });
    const whole = pictures.flatMap((picture) => ('reason' in picture ? [] : [picture]));
    return c.json({ file: await storePhotograph(c.var.db, c.env.FILES, actorOf(c), whole) }, 201);
  })

  .get('/pictures/:name', async (c) => {
    const [, id, width] = /^([0-9a-f]{16})-(\d{1,5})\.\w+$/.exec(c.req.param('name')) ?? [];
    const isPublic = id !== undefined && (await isPhotographPublished(database(c.env.DB), id));
    // A photograph that is not published, or no longer, is only for editors.
    const user = isPublic ? undefined : await sessionUser(c);
    const mayRead = isPublic || (user !== undefined && hasAccess(user.secureLevel, screenLevels.content));
    const picture =
      id !== undefined && mayRead ? await readPhotograph(c.env.FILES, id, Number(width)) : undefined;
    if (!picture) throw new ApiError(404, { message: '사진이 없습니다' });
    c.header('content-security-policy', `${apiSecurityHeaders['content-security-policy']}; sandbox`);
    c.header('cache-control', isPublic ? 'public, max-age=3600' : 'private, no-store');
    c.header('content-type', picture.httpMetadata?.contentType ?? 'application/octet-stream');
    return c.body(picture.body);
  })

  // Null while nothing was changed: the prerendered pages already have the content of the build.
  .get('/published', async (c) => {
    const published = await readPublishedContent(database(c.env.DB));
    cacheForVisitors(c, SHARED);
    // The number alone is ambiguous: after the restore of a backup, new versions get numbers used before.
    c.header('etag', `"${published ? `${published.version}-${published.at}` : 0}"`);
    return c.json<PublishedContent | null>(published ?? null);
  });

/** @throws ApiError 400 naming the first field that does not fit, as in `news.0.text.en` */
function contentOf(draft: unknown): Content {
  const { data, error } = contentSchema.safeParse(draft);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const field = ['draft', ...(issue?.path ?? [])].join('.');
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
