import type { DeadLetter } from '#contract/bridges';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { EmptyPart } from '../../../components/part-state.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { BridgeTaskNote, useBridgeTask } from './bridge-task.tsx';

type Props = { bridge: string; returnFocusTo: HTMLElement | null; onClose: () => void };

const count = new Intl.NumberFormat('ko');

/** Lists dead letters (messages that the bridge could not read). The admin can correct and retry them. */
export function DeadLettersDialog({ bridge, returnFocusTo, onClose }: Props) {
  const listing = useBridgeTask(bridge);
  const change = useBridgeTask(bridge);
  const list = () => void listing.ask({ kind: 'dead_letters' }).catch(() => undefined);
  const listFirst = useEffectEvent(list);
  useEffect(() => listFirst(), []);
  const ended = change.state === 'done' || change.state === 'failed';
  // Lists again, because a retried letter is gone or has a new number.
  const listAgain = useEffectEvent(list);
  useEffect(() => {
    if (ended) listAgain();
  }, [ended]);
  const isBusy = listing.isOpen || change.isOpen;
  // While the list is loaded again, the previous list stays on screen with the user's corrections.
  const [listed, setListed] = useState(listing.result);
  if (listing.result !== null && listing.result !== listed) setListed(listing.result);
  const { letters, more = 0 } = listed ?? {};
  const replay = (ids: number[]) => void change.ask({ kind: 'replay', ids }).catch(() => undefined);
  return (
    <DialogFrame
      title="처리하지 못한 메시지"
      description="보드가 보냈지만 브리지가 해석하지 못했거나 서버가 거절한 메시지입니다. 브리지의 디스크에 남아 있습니다."
      className="max-w-[40rem]"
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <div className="mt-4 space-y-4">
        <div className="space-y-2">
          <BridgeTaskNote task={listing} />
          <BridgeTaskNote
            task={change}
            done={
              <span className="text-accent-strong">
                다시 처리했습니다. 아직 해석하지 못한 메시지는 목록에 남습니다.
              </span>
            }
          />
        </div>
        {letters?.length === 0 && <EmptyPart text="처리하지 못한 메시지가 없습니다." />}
        {letters && letters.length > 0 && (
          <ul className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line px-1">
            {letters.map((letter) => (
              <Letter
                key={letter.id}
                letter={letter}
                isBusy={isBusy}
                onReplay={() => replay([letter.id])}
                onRepair={(payload) =>
                  void change.ask({ kind: 'repair', id: letter.id, payload }).catch(() => undefined)
                }
              />
            ))}
          </ul>
        )}
        {more > 0 && (
          <p className="text-sm text-ink-soft">
            {`이 밖에 메시지 ${count.format(more)}건이 더 있습니다. 모두 보려면 브리지에서 입력합니다: `}
            <code>sudo cps-bridge dead-letters list</code>
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" aria-disabled={isBusy} onClick={() => !isBusy && list()}>
            다시 불러오기
          </Button>
          {letters && letters.length > 1 && (
            <Button
              variant="outline"
              aria-disabled={isBusy}
              onClick={() => !isBusy && replay(letters.map(({ id }) => id))}
            >
              {`${letters.length}건 모두 다시 처리`}
            </Button>
          )}
          <Button onClick={onClose}>닫기</Button>
        </div>
      </div>
    </DialogFrame>
  );
}

type LetterProps = {
  letter: DeadLetter;
  isBusy: boolean;
  onReplay: () => void;
  onRepair: (payload: string) => void;
};

function Letter({ letter, isBusy, onReplay, onRepair }: LetterProps) {
  const { id, received_at, topic, reason, messages, readings, payload } = letter;
  const field = useId();
  const [text, setText] = useState(payload ?? '');
  const counts =
    messages > 1
      ? ` · 메시지 ${count.format(messages)}건`
      : readings > 1
        ? ` · 측정값 ${count.format(readings)}건`
        : '';
  return (
    <li data-letter={id} className="space-y-2 py-3">
      <p className="wrap-anywhere">
        <span className="font-semibold">{topic}</span>{' '}
        <span className="text-sm text-ink-soft tabular-nums">
          {`${seoulDateTime(Date.parse(received_at))}${counts}`}
        </span>
      </p>
      <p lang="en" className="text-sm wrap-anywhere text-danger">
        {reason}
      </p>
      {payload === null ? (
        <p className="text-sm text-ink-soft">
          내용을 표시할 수 없습니다 (텍스트가 아니거나 4 KB보다 깁니다).
        </p>
      ) : (
        <>
          <label htmlFor={field} className="sr-only">
            {`${topic}의 내용, 번호 ${id}`}
          </label>
          <textarea
            id={field}
            rows={Math.min(6, Math.max(1, Math.ceil(text.length / 60)))}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="block w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-sm"
          />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={() => !isBusy && onReplay()}>
          그대로 다시 처리
        </Button>
        {payload !== null && text !== payload && (
          <Button size="sm" aria-disabled={isBusy} onClick={() => !isBusy && onRepair(text)}>
            수정한 내용으로 처리
          </Button>
        )}
      </div>
    </li>
  );
}
