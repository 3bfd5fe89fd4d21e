import { ApiError } from './api-error.ts';

/**
 * Streams the body and stops reading beyond `limit`, because Content-Length may be missing or wrong.
 * @throws ApiError 413 beyond `limit` bytes, possibly while the stream is read
 */
export function bodyUpTo(request: Request, limit: number): ReadableStream<Uint8Array> | null {
  const tooLarge = new ApiError(413);
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) controller.error(tooLarge);
      else controller.enqueue(chunk);
    },
  });
  return request.body?.pipeThrough(counter) ?? null;
}

/** Reads the whole body. @throws ApiError 413 beyond `limit` bytes */
export async function bytesUpTo(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(bodyUpTo(request, limit)).arrayBuffer());
}
