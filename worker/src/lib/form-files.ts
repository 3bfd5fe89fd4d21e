import { ApiError } from './api-error.ts';

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
  const formBytes = limits.bytes + (limits.files + 1) * 1024;
  if (Number(request.headers.get('content-length')) > formBytes) throw new ApiError(413);
  const form = await readForm(request, formBytes);
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

/** Counts the bytes as they come, whatever was said of their length: a body that is too long is not kept whole. */
async function readForm(request: Request, limit: number): Promise<FormData> {
  let bytes = 0;
  const counted = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > limit) controller.error(new TypeError('too long'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const contentType = request.headers.get('content-type') ?? '';
  try {
    return await new Response(counted ?? null, { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    if (bytes > limit) throw new ApiError(413);
    // What the runtime says of a form that it cannot read, and of a client that went away.
    if (error instanceof TypeError) throw new ApiError(400);
    throw error;
  }
}
