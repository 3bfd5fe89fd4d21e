import { Button } from '../../../components/ui/button.tsx';
import type { ImportRun } from './import-run.ts';
import { dayText, descriptionText, signedText } from '../labels.ts';

type Props = {
  run: ImportRun;
  isSending: boolean;
  /** Another tab is sending it. */
  isElsewhere: boolean;
  hasFailed: boolean;
  onStop: () => void;
  onGoOn: () => void;
  onForget: () => void;
};

/** Progress of an import; after an interruption, what was stored and how to continue. */
export function ImportProgress({
  run: { items, done },
  isSending,
  isElsewhere,
  hasFailed,
  onStop,
  onGoOn,
  onForget,
}: Props) {
  const last = items[done - 1]?.entry;
  return (
    <section aria-label="가져오기 진행" className="max-w-2xl space-y-4">
      <div className="flex items-center gap-3">
        <progress
          aria-label="가져오기"
          max={items.length}
          value={done}
          className="h-2 grow overflow-hidden rounded-sm"
        />
        <output className="text-sm tabular-nums">
          {done} / {items.length}
        </output>
      </div>
      {isElsewhere ? (
        <p>다른 탭에서 한 건씩 저장하고 있습니다.</p>
      ) : isSending ? (
        <>
          <p>한 건씩 저장하고 있습니다.</p>
          <Button variant="outline" onClick={onStop}>
            중지
          </Button>
        </>
      ) : (
        <>
          <div
            role="alert"
            className={`space-y-1 rounded-md px-4 py-3 ${hasFailed ? 'bg-danger-wash text-danger' : 'bg-notice-wash text-notice'}`}
          >
            <p className="tabular-nums">
              {items.length}건 중 {done}건을 저장했습니다. 남은 {items.length - done}건은 보내지 않았거나 답을
              받지 못했습니다.
            </p>
            {last && (
              <p className="tabular-nums wrap-anywhere">
                마지막으로 저장된 내역: {dayText(last.datetime)} {descriptionText(last.description)}{' '}
                {signedText(last.amount)}
              </p>
            )}
            <p>이어서 보내도 같은 내역이 두 번 저장되지 않습니다.</p>
          </div>
          <div className="flex gap-2">
            <Button onClick={onGoOn}>이어서 보내기</Button>
            <Button variant="outline" onClick={onForget}>
              그만두기
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
