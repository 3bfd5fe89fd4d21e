import { bridgeTaskState, type ListedBridge } from '#contract/bridges';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { EmptyPart, MissingPart } from '../../../components/part-state.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { ageText, seoulDateTime } from '../../../lib/seoul-time.ts';
import { bridgesQuery, revokeKeyMutation } from '../queries.ts';
import { BoardDialog, RevokeDialog } from './board-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import {
  keyPlantsText,
  recentBridgeTasks,
  bridgeTaskStateLabels,
  bridgeTaskLabels,
  noBoardsReason,
} from './bridge-texts.ts';
import { DeadLettersDialog } from './dead-letters-dialog.tsx';
import { OperatorText } from './bridge-task.tsx';

type Key = ListedBridge['keys'][number];
type Open = { from: HTMLElement } & (
  | { what: 'key'; replaced?: { bridge: string; plants: string[] | null } }
  | { what: 'revoke-key'; bridge: string; key: Key; isLast: boolean }
  | { what: 'board' | 'revoke-board' | 'letters'; bridge: string }
);

/** Lists the bridges with their keys, and the tasks that an admin can request from each bridge. */
export function BridgesPart({ now }: { now: number }) {
  const id = useId();
  const bridges = useQuery(bridgesQuery);
  const revoke = useMutation(revokeKeyMutation);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { data } = bridges;
  const place = { returnFocusTo: open?.from ?? null, onClose: close };
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="font-semibold">
          보드와 브리지
        </h2>
        <Button
          variant="outline"
          size="sm"
          className="print:hidden"
          onClick={({ currentTarget: from }) => setOpen({ what: 'key', from })}
        >
          브리지 추가
        </Button>
      </div>
      <p className="mt-1 text-sm text-ink-soft">
        보드의 측정값은 브리지를 거쳐 옵니다. 브리지는 키로, 보드는 비밀번호로 확인합니다.
      </p>
      <div className="mt-3">
        {!data && <MissingPart of={bridges} text="브리지를 불러오지 못했습니다." rows={2} className="h-14" />}
        {data?.bridges.length === 0 && (
          <EmptyPart text="아직 브리지가 없습니다. 브리지를 추가하면 키가 한 번 보이고, 그 키로 브리지를 설치합니다." />
        )}
        {data && data.bridges.length > 0 && (
          <ul className="divide-y divide-line border-y border-line">
            {data.bridges.map((bridge) => (
              <BridgeItem key={bridge.bridge} bridge={bridge} now={now} onOpen={setOpen} />
            ))}
          </ul>
        )}
      </div>
      {open?.what === 'key' && <KeyDialog replaced={open.replaced} {...place} />}
      {open?.what === 'board' && <BoardDialog bridge={open.bridge} {...place} />}
      {open?.what === 'revoke-board' && <RevokeDialog bridge={open.bridge} {...place} />}
      {open?.what === 'letters' && <DeadLettersDialog bridge={open.bridge} {...place} />}
      {open?.what === 'revoke-key' && (
        <ConfirmDialog
          title={`${open.bridge}의 키 ${open.key.id}번을 폐기할까요?`}
          submitLabel="폐기"
          isDestructive
          {...place}
          onSubmit={() => revoke.mutate(open.key.id)}
        >
          {open.isLast
            ? '마지막 키입니다. 브리지는 다음 요청부터 보내지 못하고, 측정값은 새 키를 받을 때까지 브리지의 디스크에 남습니다.'
            : '이 키로 보내는 브리지는 다음 요청부터 거절됩니다. 되돌릴 수 없습니다.'}
        </ConfirmDialog>
      )}
    </section>
  );
}

type ItemProps = { bridge: ListedBridge; now: number; onOpen: (open: Open) => void };

function BridgeItem({ bridge: listed, now, onOpen }: ItemProps) {
  const { bridge, alive, does, keys, tasks } = listed;
  const working = keys.filter(({ revoked_at }) => revoked_at === null);
  const ended = keys.length - working.length;
  const why = noBoardsReason(listed);
  const standing = working.length === 0 ? '키 없음' : alive ? '연결됨' : '보고 없음';
  const button = (what: 'board' | 'revoke-board' | 'letters', text: string, isMain = false) => (
    <Button
      variant={isMain ? 'default' : 'outline'}
      size="sm"
      aria-label={`${bridge}: ${text}`}
      onClick={({ currentTarget: from }) => onOpen({ what, bridge, from })}
    >
      {text}
    </Button>
  );
  return (
    <li data-bridge={bridge} className="space-y-3 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-semibold">{bridge}</span>{' '}
          <span className={`text-sm ${alive ? 'text-accent-strong' : 'text-ink-soft'}`}>{standing}</span>
        </p>
        {working.length > 0 && (
          <div className="flex flex-wrap gap-2 print:hidden">
            {does?.includes('board_add') && button('board', '보드 만들기', true)}
            {does?.includes('board_revoke') && button('revoke-board', '보드 비밀번호 폐기')}
            {does?.includes('dead_letters') && button('letters', '처리하지 못한 메시지')}
          </div>
        )}
      </div>
      {why !== null && working.length > 0 && <OperatorText text={why} />}
      <ul aria-label={`${bridge}의 키`} className="space-y-1">
        {working.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 text-sm wrap-anywhere tabular-nums">
              {`키 ${key.id} · ${keyPlantsText(key.plants)} · ${seoulDateTime(Date.parse(key.created_at)).slice(0, 10)}부터`}
            </span>
            <span className="flex gap-2 print:hidden">
              <Button
                variant="ghost"
                size="sm"
                aria-label={`${bridge}의 키 ${key.id} 교체`}
                onClick={({ currentTarget: from }) =>
                  onOpen({ what: 'key', from, replaced: { bridge, plants: key.plants } })
                }
              >
                교체
              </Button>
              <Button
                variant="destructive-ghost"
                size="sm"
                aria-label={`${bridge}의 키 ${key.id} 폐기`}
                onClick={({ currentTarget: from }) =>
                  onOpen({ what: 'revoke-key', from, bridge, key, isLast: working.length === 1 })
                }
              >
                폐기
              </Button>
            </span>
          </li>
        ))}
        {ended > 0 && <li className="text-sm text-ink-soft">{`폐기한 키 ${ended}개`}</li>}
      </ul>
      <ul aria-label={`${bridge}에 요청한 일`} className="space-y-1 empty:hidden">
        {recentBridgeTasks(tasks, now).map((task) => (
          <li key={task.id} className="text-sm text-ink-soft tabular-nums">
            {`${bridgeTaskLabels[task.kind]}${task.plant === null ? '' : ` (${task.plant})`} · ${bridgeTaskStateLabels[bridgeTaskState(task, now)]} · ${ageText(Date.parse(task.created_at), now)}`}
          </li>
        ))}
      </ul>
    </li>
  );
}
