import { ApiError } from '#http/api-error';
import { limitedBodyStream } from '#http/body';
import type { Context } from 'hono';
import type { UserEnv } from './app-env.ts';

type Limits = {
  /** Maximum number of files in one form. */
  files: number;
  /** Maximum bytes of one file, and of all files. */
  fileBytes: number;
  bytes: number;
};

/**
 * The files in one field of a multipart form, before any processing.
 * @throws ApiError 415 for another content type, 413 above any limit, 400 for a malformed form, 401 or 403
 * for a user who may not do this any more once the form has arrived
 */
export async function readFormFiles(c: Context<UserEnv>, field: string, limits: Limits): Promise<File[]> {
  const request = c.req.raw;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'multipart/form-data') throw new ApiError(415);
  // Plus a kilobyte for the headers and boundary of each part, which is more than browsers use.
  const form = await readForm(request, limits.bytes + (limits.files + 1) * 1024);
  await c.get('admitAgain')();
  const files = form.getAll(field).filter((entry) => entry instanceof File);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (
    files.length > limits.files ||
    bytes > limits.bytes ||
    files.some(({ size }) => size > limits.fileBytes)
  )
    throw new ApiError(413);
  return files;
}

/** Reads the form as a stream, so that a form over the limit is never held in memory. */
async function readForm(request: Request, limit: number): Promise<FormData> {
  const counted = limitedBodyStream(request, limit);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  try {
    return await new Response(counted, { headers }).formData();
  } catch (error) {
    // The runtime's error for a malformed form or a client that disconnected.
    if (error instanceof TypeError) throw new ApiError(400);
    throw error;
  }
}
