import { ApiError } from './api-error.ts';

function refuseAnnounced(request: Request, limit: number): void {
  if (Number(request.headers.get('content-length')) > limit) throw new ApiError(413);
}

/**
 * Streams the body and stops reading beyond `limit`, because Content-Length may be missing or wrong.
 * @throws ApiError 413 beyond `limit` bytes, possibly while the stream is read
 */
export function limitedBodyStream(request: Request, limit: number): ReadableStream<Uint8Array> | null {
  refuseAnnounced(request, limit);
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) controller.error(new ApiError(413));
      else controller.enqueue(chunk);
    },
  });
  return request.body?.pipeThrough(counter) ?? null;
}

/** Reads the whole body. @throws ApiError 413 beyond `limit` bytes, 400 if the sender aborted the request */
export async function readLimitedBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  refuseAnnounced(request, limit);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // `limitedBodyStream` would take as much time as the check of a batch of readings.
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > limit) throw new ApiError(413);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(400, { message: '본문이 끝까지 오지 않았습니다' });
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined
    ? only
    : new Uint8Array(await new Blob(chunks).arrayBuffer());
}
