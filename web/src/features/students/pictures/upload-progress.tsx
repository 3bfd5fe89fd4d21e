import type { UploadResult } from '#contract/pictures';
import { Button } from '../../../components/ui/button.tsx';
import type { UploadState } from './upload-flow.ts';

type Props = {
  state: UploadState;
  result: UploadResult;
  /** Number of files to send. */
  count: number;
  onStart: () => void;
  onRetry: () => void;
  onCancel: () => void;
  onClear: () => void;
};

export function UploadProgress({ state, result, count, onStart, onRetry, onCancel, onClear }: Props) {
  const { stored, rejected } = result;
  return (
    <section aria-label="업로드" data-phase={state.phase} className="mt-6 space-y-4">
      {state.phase === 'uploading' && (
        <div className="flex items-center gap-3">
          <progress
            aria-label="업로드 진행"
            value={state.percent}
            max={100}
            className="h-2 grow overflow-hidden rounded-sm"
          />
          <span className="w-12 text-right text-sm tabular-nums">{state.percent}%</span>
        </div>
      )}
      {state.phase !== 'idle' && (
        <p aria-live="polite" className={state.phase === 'failed' ? 'text-danger' : ''}>
          {state.phase === 'failed' ? `${state.message}.` : texts[state.phase]}{' '}
          {state.phase !== 'uploading' && `저장된 사진 ${stored.length}장.`}
        </p>
      )}
      {rejected.length > 0 && (
        <ul className="rounded-md border border-line px-4 py-3 text-sm">
          {rejected.map(({ name, reason }) => (
            <li key={name} className="wrap-anywhere">
              {name}: <span className="text-danger">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {state.phase === 'idle' && (
          <Button disabled={count === 0} onClick={onStart}>
            사진 {count}장 업로드
          </Button>
        )}
        {state.phase === 'uploading' && (
          <Button variant="outline" onClick={onCancel}>
            취소
          </Button>
        )}
        {(state.phase === 'failed' || state.phase === 'cancelled') && (
          <Button onClick={onRetry}>다시 시도</Button>
        )}
        {state.phase !== 'uploading' && (
          <Button variant="outline" onClick={onClear}>
            비우기
          </Button>
        )}
      </div>
    </section>
  );
}

const texts = {
  uploading: '업로드하는 중입니다.',
  done: '업로드를 마쳤습니다.',
  cancelled: '업로드를 취소했습니다.',
} as const;
