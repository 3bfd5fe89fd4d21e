import { ApiError } from '#http/api-error';
import { bodyUpTo } from '#http/body';

type Limits = {
  /** Most files in one form. */
  files: number;
  /** Bytes of one file, and of all. */
  fileBytes: number;
  bytes: number;
};

/**
 * The files that a field of the form holds, before anything is done with them.
 * @throws ApiError 415 for another kind of body, 413 above any limit, 400 for a form that cannot be read
 */
export async function filesOf(request: Request, field: string, limits: Limits): Promise<File[]> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'multipart/form-data') throw new ApiError(415);
  // The files' headers and the lines between them: a kilobyte each, which no browser needs.
  const form = await readForm(request, limits.bytes + (limits.files + 1) * 1024);
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

/** A form that is too long is not kept whole. */
async function readForm(request: Request, limit: number): Promise<FormData> {
  const counted = bodyUpTo(request, limit);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  try {
    return await new Response(counted, { headers }).formData();
  } catch (error) {
    // What the runtime says of a form that it cannot read, and of a client that went away.
    if (error instanceof TypeError) throw new ApiError(400);
    throw error;
  }
}
