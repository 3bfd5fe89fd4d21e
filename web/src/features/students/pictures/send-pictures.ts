import { errorBodySchema } from '#contract/errors';
import type { UploadResult } from '#contract/pictures';
import { newRequestId, REQUEST_ID_HEADER } from '#contract/log-line';
import * as z from 'zod';
import { ApiError } from '../../../lib/api-error.ts';

const resultSchema: z.ZodType<UploadResult> = z.object({
  stored: z.array(z.object({ name: z.string(), studentId: z.string() })),
  rejected: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/**
 * Sends pictures in one request. Uses XMLHttpRequest, because fetch reports no upload progress.
 * @param onProgress receives the share sent, 0 to 1
 * @throws ApiError, with status 0 without a response; DOMException AbortError if it was cancelled
 */
export function sendPictures(
  files: readonly File[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadResult> {
  return new Promise((resolve, reject) => {
    const body = new FormData();
    for (const file of files) body.append('images', file, file.name);
    const request = new XMLHttpRequest();
    request.open('POST', '/api/upload');
    const requestId = newRequestId();
    request.setRequestHeader(REQUEST_ID_HEADER, requestId);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const result = resultSchema.safeParse(request.response);
      if (request.status === 200 && result.success) resolve(result.data);
      else reject(new ApiError(request.status, errorMessage(request.response), { requestId }));
    });
    request.addEventListener('error', () => reject(new ApiError(0)));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function errorMessage(body: unknown): { message: string } | undefined {
  const parsed = errorBodySchema.safeParse(body);
  return parsed.success ? { message: parsed.data.error.message } : undefined;
}
