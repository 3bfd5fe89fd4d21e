import { screenLevels } from '#contract/access-levels';
import {
  PICTURE_BYTES_MAX,
  PICTURES_PER_REQUEST,
  UPLOAD_BYTES_MAX,
  type PictureType,
  type UploadResult,
} from '#contract/pictures';
import { apiSecurityHeaders } from '#http/security-headers';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { ApiError } from '#http/api-error';
import { cachePrivately, ifNoneMatchTags } from '../lib/responses.ts';
import { readFormFiles } from '../lib/form-files.ts';
import { limitUploads } from '../lib/rate-limit.ts';
import { requireLevel } from '../session/require-level.ts';
import { parseStudentId } from '../lib/validate.ts';
import { readPicture, readPictureRecord, storeImages } from './data.ts';

const endings: Record<PictureType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

const limits = { files: PICTURES_PER_REQUEST, fileBytes: PICTURE_BYTES_MAX, bytes: UPLOAD_BYTES_MAX };

const noPicture = () => new ApiError(404, { message: '사진이 없습니다' });

export const upload = new Hono<AppEnv>().post(
  '/',
  requireLevel(screenLevels.students),
  limitUploads,
  async (c) => {
    const images = await readFormFiles(c, 'images', limits);
    if (images.length === 0) throw new ApiError(400, { message: '올릴 파일이 없습니다', field: 'images' });
    const { isAnyImage, ...result } = await storeImages(c.var.db, c.env.FILES, actorOf(c), images);
    if (result.stored.length > 0) return c.json<UploadResult>(result);
    const [first] = result.rejected;
    throw new ApiError(isAnyImage ? 400 : 415, { field: 'images', ...(first && { message: first.reason }) });
  },
);

/** `?name=` makes the address readable for people; the server ignores it. */
export const pictures = new Hono<AppEnv>().get('/:id', requireLevel(screenLevels.students), async (c) => {
  const id = parseStudentId(c.req.param('id'));
  const record = await readPictureRecord(c.var.db, actorOf(c), id);
  if (!record) throw noPicture();
  const isKnown = ifNoneMatchTags(c).includes(record.etag);
  const object = isKnown ? undefined : await readPicture(c.env.FILES, { student_id: id, etag: record.etag });
  if (!isKnown && !object) throw noPicture();
  cachePrivately(c, record.etag);
  c.header('content-security-policy', `${apiSecurityHeaders['content-security-policy']}; sandbox`);
  if (!object) return c.body(null, 304);
  c.header('content-type', record.type);
  c.header('content-length', String(object.size));
  c.header('content-disposition', `inline; filename="${id}.${endings[record.type]}"`);
  return c.body(object.body);
});
