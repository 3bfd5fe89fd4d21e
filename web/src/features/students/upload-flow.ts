import { PICTURES_PER_BATCH, type UploadResult } from '#contract/pictures';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toast.ts';
import { countUpload } from './picture-url.ts';
import { studentsKey } from './queries.ts';
import { scaledPicture } from './scale-picture.ts';
import { sendPictures } from './send-pictures.ts';

export type UploadState =
  | { phase: 'idle' }
  | { phase: 'uploading'; percent: number }
  | { phase: 'done' }
  | { phase: 'cancelled' }
  | { phase: 'failed'; message: string };

type End = Exclude<UploadState, { phase: 'idle' | 'uploading' }>;

const nothing: UploadResult = { stored: [], rejected: [] };

/** Sends files in batches, one after the other; what failed or was cancelled goes on where it stopped. */
export function useUpload() {
  const queryClient = useQueryClient();
  const [state, setState] = useState<UploadState>({ phase: 'idle' });
  const [result, setResult] = useState(nothing);
  const [alert, setAlert] = useState<string>();
  const controller = useRef<AbortController>(undefined);
  /** Files of finished batches. */
  const finished = useRef(0);

  const run = useMutation({
    mutationFn: async (files: readonly File[]): Promise<End> => {
      const { signal } = (controller.current = new AbortController());
      const tell = (sent: number) =>
        setState({ phase: 'uploading', percent: Math.floor((sent / files.length) * 100) });
      tell(finished.current);
      while (finished.current < files.length) {
        const start = finished.current;
        const batch = files.slice(start, start + PICTURES_PER_BATCH);
        try {
          const { scaled, rejected } = await scaledBatch(batch, signal);
          const answer =
            scaled.length === 0
              ? nothing
              : await sendPictures(scaled, (share) => tell(start + share * batch.length), signal);
          countUpload();
          setResult((before) => ({
            stored: [...before.stored, ...answer.stored],
            rejected: [...before.rejected, ...rejected, ...answer.rejected],
          }));
        } catch (error) {
          const end = endOf(error);
          if (!end) throw error;
          return end;
        }
        finished.current = start + batch.length;
        tell(finished.current);
      }
      return { phase: 'done' };
    },
    onSuccess: async (end) => {
      setState(end);
      if (end.phase === 'done') showToast('업로드 성공');
      if (end.phase === 'failed') {
        showToast(end.message);
        if (end.message !== NETWORK_ERROR) setAlert('업로드 중 오류가 발생했습니다');
      }
      await queryClient.invalidateQueries({ queryKey: studentsKey });
    },
    onError: () => setState({ phase: 'failed', message: '업로드 중 오류' }),
  });

  return {
    state,
    result,
    alert,
    closeAlert: () => setAlert(undefined),
    start: (files: readonly File[]) => {
      finished.current = 0;
      setResult(nothing);
      run.mutate(files);
    },
    /** With the files of the start: the batch that failed is sent again, then the rest. */
    goOn: (files: readonly File[]) => run.mutate(files),
    cancel: () => controller.current?.abort(),
    reset: () => {
      setState({ phase: 'idle' });
      setResult(nothing);
    },
  };
}

const NETWORK_ERROR = '업로드 중 오류';

/** How a batch may end besides well; undefined for what the page's policy answers: 401 and what nobody expected. */
function endOf(error: unknown): End | undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return { phase: 'cancelled' };
  if (!(error instanceof ApiError) || error.status === 401) return undefined;
  return {
    phase: 'failed',
    message: error.status === 0 ? NETWORK_ERROR : `업로드 실패: ${error.status}`,
  };
}

/** One after the other: twenty photographs at once would fill the memory of a phone. */
async function scaledBatch(batch: readonly File[], signal: AbortSignal) {
  const scaled: File[] = [];
  const rejected: UploadResult['rejected'] = [];
  for (const file of batch) {
    signal.throwIfAborted();
    const picture = await scaledPicture(file);
    if (picture) scaled.push(picture);
    else rejected.push({ name: file.name, reason: '이미지를 읽을 수 없습니다' });
  }
  return { scaled, rejected };
}
