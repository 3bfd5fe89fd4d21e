import { errorBodySchema } from '#contract/errors';
import { API_MARKER_HEADER, newRequestId, REQUEST_ID_HEADER } from '#contract/log-line';
import { HEIC_ADVICE, isHeic, PICTURES_PER_BATCH, type UploadResult } from '#contract/pictures';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod';
import { ApiError, NotFromApiError } from '../../../lib/api-error.ts';
import { askWorker } from '../../../lib/ask-worker.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { studentsKey } from '../../../lib/roster.ts';
import { refreshPictures } from '../student-picture.tsx';

export type UploadState =
  | { phase: 'idle' }
  | { phase: 'uploading'; percent: number }
  | { phase: 'done' }
  | { phase: 'cancelled' }
  | { phase: 'failed'; message: string };

type End = Exclude<UploadState, { phase: 'idle' | 'uploading' }>;

const nothing: UploadResult = { stored: [], rejected: [] };

/** Uploads files in batches, one at a time; after a failure or a cancellation the upload can be resumed. */
export function usePictureUpload() {
  const [state, setState] = useState<UploadState>({ phase: 'idle' });
  const [result, setResult] = useState(nothing);
  const [alert, setAlert] = useState<string>();
  const controller = useRef<AbortController>(undefined);
  /** Number of files in finished batches. */
  const finished = useRef(0);
  // Leaving the page, which the user has confirmed, aborts the upload, because nobody would see the outcome.
  useEffect(() => () => controller.current?.abort(), []);

  const run = useMutation({
    mutationFn: async (files: readonly File[]): Promise<End> => {
      const { signal } = (controller.current = new AbortController());
      const scaler = new PictureScaler();
      const tell = (sent: number) =>
        setState({ phase: 'uploading', percent: Math.floor((sent / files.length) * 100) });
      let refused: number | undefined;
      tell(finished.current);
      try {
        while (finished.current < files.length) {
          const start = finished.current;
          const batch = files.slice(start, start + PICTURES_PER_BATCH);
          const { scaled, rejected } = await scaledBatch(scaler, batch, signal);
          const answer = await sendBatch(scaled, (share) => tell(start + share * batch.length), signal);
          refused = answer.refused ?? refused;
          refreshPictures();
          setResult((before) => ({
            stored: [...before.stored, ...answer.stored],
            rejected: [...before.rejected, ...rejected, ...answer.rejected],
          }));
          finished.current = start + batch.length;
          tell(finished.current);
        }
      } catch (error) {
        const end = endOf(error);
        if (!end) throw error;
        return end;
      } finally {
        scaler.close();
      }
      return refused === undefined ? { phase: 'done' } : failedWith(refused);
    },
    onSuccess: (end) => {
      setState(end);
      if (end.phase === 'done') showToast('업로드 성공');
      if (end.phase === 'failed') {
        showToast(end.message);
        if (end.message !== NETWORK_ERROR) setAlert('업로드 중 오류가 발생했습니다');
      }
    },
    meta: { reload: studentsKey },
    onError: () => setState({ phase: 'failed', message: '업로드 중 오류' }),
  });

  const start = (files: readonly File[]) => {
    finished.current = 0;
    setResult(nothing);
    run.mutate(files);
  };
  return {
    state,
    result,
    alert,
    closeAlert: () => setAlert(undefined),
    start,
    /** Pass all files: the upload resumes with the failed batch and continues with the rest. */
    goOn: (files: readonly File[]) => (finished.current < files.length ? run.mutate(files) : start(files)),
    cancel: () => controller.current?.abort(),
    reset: () => {
      setState({ phase: 'idle' });
      setResult(nothing);
    },
  };
}

const NETWORK_ERROR = '업로드 중 오류';

/** The end of the upload after an expected failure; undefined for 401 and unexpected errors. */
function endOf(error: unknown): End | undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return { phase: 'cancelled' };
  if (!(error instanceof ApiError) || error.status === 401) return undefined;
  return failedWith(error.status);
}

const failedWith = (status: number): End => ({
  phase: 'failed',
  message: status === 0 ? NETWORK_ERROR : `업로드 실패: ${status}`,
});

/** A batch without a usable file is reported as rejected and not retried; the upload continues. */
async function sendBatch(
  files: readonly File[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadResult & { refused?: number }> {
  if (files.length === 0) return { ...nothing, refused: 415 };
  try {
    return await sendPictures(files, onProgress, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 415)) throw error;
    const reason = error.details?.message ?? '저장하지 못했습니다';
    return { stored: [], rejected: files.map(({ name }) => ({ name, reason })), refused: error.status };
  }
}

/** Scales one at a time, because decoding twenty photographs at once would exhaust a phone's memory. */
async function scaledBatch(scaler: PictureScaler, batch: readonly File[], signal: AbortSignal) {
  const scaled: File[] = [];
  const rejected: UploadResult['rejected'] = [];
  for (const file of batch) {
    const picture = await scaler.scale(file, signal);
    if (picture) scaled.push(picture);
    else rejected.push({ name: file.name, reason: await reasonOf(file) });
  }
  return { scaled, rejected };
}

async function reasonOf(file: File): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return isHeic(start) ? HEIC_ADVICE : '이미지를 읽을 수 없습니다';
}

/** Scales photographs in a worker, so that the page stays responsive. */
class PictureScaler {
  readonly #worker = new Worker(new URL('./scale-picture.worker.ts', import.meta.url), { type: 'module' });

  /**
   * Runs scaledPicture() in a worker.
   * @returns undefined if the browser cannot decode the picture
   * @throws DOMException AbortError if it was cancelled
   */
  scale(file: File, signal: AbortSignal): Promise<File | undefined> {
    return askWorker(this.#worker, file, signal);
  }

  close(): void {
    this.#worker.terminate();
  }
}

const resultSchema: z.ZodType<UploadResult> = z.object({
  stored: z.array(z.object({ name: z.string(), studentId: z.string() })),
  rejected: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/**
 * Sends pictures in one request, by XMLHttpRequest, because fetch reports no upload progress.
 * @param onProgress receives the sent share, 0 to 1
 * @throws ApiError, with status 0 without a response; NotFromApiError; DOMException AbortError if cancelled
 */
function sendPictures(
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
      const isOurs = request.getResponseHeader(API_MARKER_HEADER) !== null;
      const result = resultSchema.safeParse(request.response);
      if (isOurs && request.status === 200 && result.success) resolve(result.data);
      else if (!isOurs && request.status < 500) reject(new NotFromApiError(request.status));
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
