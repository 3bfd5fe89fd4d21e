import { deliveryFailureText, receiverKindLabels, RECEIVERS_MAX, type Receiver } from '#contract/receivers';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { EmptyPart, MissingPart } from '../../../components/part-state.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { quietHoursText, receiverState, scopeText } from '../labels.ts';
import { receiversQuery, removeReceiverMutation, testReceiverMutation } from '../queries.ts';
import { ReceiverDialog } from './receiver-dialog.tsx';

type Props = {
  plants: readonly string[];
  /** Whether the operator has set ALERT_WEBHOOK_URL, an address that gets every alert. */
  hasWebhook: boolean;
  now: number;
};

type Open = { from: HTMLElement; receiver?: Receiver };

/** Lists the receivers of alerts, each with the number of alerts that could not be delivered yet. */
export function ReceiversPart({ plants, hasWebhook, now }: Props) {
  const id = useId();
  const receivers = useQuery(receiversQuery);
  const { data } = receivers;
  const remove = useMutation(removeReceiverMutation);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="font-semibold">
          알림 수신처
        </h2>
        {data && data.length < RECEIVERS_MAX && (
          <Button
            variant="outline"
            size="sm"
            className="print:hidden"
            onClick={(event) => setOpen({ from: event.currentTarget })}
          >
            추가
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-ink-soft">
        화분에 물이 부족하거나 시스템에 문제가 생기면, 그리고 나아지면 한 번씩 알립니다.
        {hasWebhook && ' 운영자가 정한 주소(ALERT_WEBHOOK_URL)에는 모두 알립니다.'}
      </p>
      <div className="mt-3">
        {!data && (
          <MissingPart of={receivers} text="알림 수신처를 불러오지 못했습니다." rows={2} className="h-14" />
        )}
        {data?.length === 0 && (
          <EmptyPart
            text={
              hasWebhook
                ? '아직 추가한 곳이 없습니다.'
                : '아직 없습니다. 무슨 일이 생겨도 이 화면에만 표시됩니다.'
            }
          />
        )}
        {data && data.length > 0 && (
          <ul className="divide-y divide-line border-y border-line">
            {data.map((receiver) => (
              <ReceiverItem
                key={receiver.id}
                receiver={receiver}
                now={now}
                onRemove={(from) => setOpen({ from, receiver })}
              />
            ))}
          </ul>
        )}
        {data?.length === RECEIVERS_MAX && (
          <p className="mt-2 text-sm text-ink-soft">{RECEIVERS_MAX}곳까지 추가할 수 있습니다.</p>
        )}
      </div>
      {open && open.receiver === undefined && (
        <ReceiverDialog plants={plants} returnFocusTo={open.from} onClose={close} />
      )}
      {open?.receiver && (
        <ConfirmDialog
          title={`${open.receiver.name}에 더 알리지 않을까요?`}
          submitLabel="삭제"
          isDestructive
          returnFocusTo={open.from}
          onClose={close}
          onSubmit={() => {
            if (open.receiver) remove.mutate(open.receiver.id);
          }}
        >
          주소도 삭제하므로, 다시 알리려면 주소를 새로 입력해야 합니다.
        </ConfirmDialog>
      )}
    </section>
  );
}

type ItemProps = { receiver: Receiver; now: number; onRemove: (from: HTMLElement) => void };

function ReceiverItem({ receiver, now, onRemove }: ItemProps) {
  const test = useMutation(testReceiverMutation);
  const { id, name, kind, host, quiet } = receiver;
  const { text, isBad } = receiverState(receiver, now);
  return (
    <li data-receiver={id} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere">
          <span className="font-semibold">{name}</span>{' '}
          <span className="text-sm text-ink-soft">
            {receiverKindLabels[kind]} · {host}
          </span>
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft tabular-nums">
          {scopeText(receiver)}
          {quiet !== null && ` · ${quietHoursText(quiet)}`}
        </p>
        <p
          data-bad={isBad}
          className={`text-sm tabular-nums ${isBad ? 'font-semibold text-danger' : 'text-ink-soft'}`}
        >
          {text}
        </p>
        <output className={`block text-sm ${test.data?.ok === false ? 'text-danger' : 'text-accent-strong'}`}>
          {test.isPending && '시험 알림을 보내고 있습니다'}
          {test.data?.ok === true && '시험 알림을 받았습니다'}
          {test.data?.ok === false &&
            `시험 알림을 보내지 못했습니다: ${deliveryFailureText(test.data.failure ?? '')}`}
        </output>
      </div>
      <div className="flex gap-2 print:hidden">
        <Button
          variant="outline"
          size="sm"
          aria-label={`${name}에 시험 알림 보내기`}
          aria-disabled={test.isPending}
          onClick={() => !test.isPending && test.mutate(id)}
        >
          시험 알림
        </Button>
        <Button
          variant="destructive-ghost"
          size="sm"
          aria-label={`${name} 삭제`}
          onClick={(event) => onRemove(event.currentTarget)}
        >
          삭제
        </Button>
      </div>
    </li>
  );
}
