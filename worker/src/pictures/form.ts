import { PICTURE_BYTES, PICTURES_PER_REQUEST, UPLOAD_BYTES } from '#contract/pictures';
import { ApiError } from '../lib/api-error.ts';

/** The files' headers and the lines between them: a kilobyte each, which no browser needs. */
const FORM_BYTES = UPLOAD_BYTES + (PICTURES_PER_REQUEST + 1) * 1024;

/**
 * The files that the form's field `images` holds, before anything is done with them.
 * @throws ApiError 415 for another kind of body, 413 above any limit, 400 for a form that cannot be read
 */
export async function imagesOf(request: Request): Promise<File[]> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'multipart/form-data') throw new ApiError(415);
  if (Number(request.headers.get('content-length')) > FORM_BYTES) throw new ApiError(413);
  const form = await readForm(request);
  const files = form.getAll('images').filter((entry) => entry instanceof File);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (
    files.length > PICTURES_PER_REQUEST ||
    bytes > UPLOAD_BYTES ||
    files.some(({ size }) => size > PICTURE_BYTES)
  )
    throw new ApiError(413);
  return files;
}

/** Counts the bytes as they come, whatever was said of their length: a body that is too long is not kept whole. */
async function readForm(request: Request): Promise<FormData> {
  let bytes = 0;
  const counted = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > FORM_BYTES) controller.error(new TypeError('too long'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const contentType = request.headers.get('content-type') ?? '';
  try {
    return await new Response(counted ?? null, { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    if (bytes > FORM_BYTES) throw new ApiError(413);
    // What the runtime says of a form that it cannot read, and of a client that went away.
    if (error instanceof TypeError) throw new ApiError(400);
    throw error;
  }
}
