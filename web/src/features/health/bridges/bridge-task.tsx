import type { ReactNode } from 'react';
import { bridgeTaskState, type BridgeTask, type BridgeTaskWithResult } from '#contract/bridges';
import { useMutation, useQuery } from '@tanstack/react-query';
import { bridgeTaskStateLabels, silentBridgeSteps } from './bridge-texts.ts';
import { useNow } from '../../../lib/server-time.ts';
import { requestTaskMutation, bridgeTaskQuery } from '../queries.ts';

type BridgeTaskRequest = {
  /** Requests a task. The promise is fulfilled when the server has stored the task. */
  ask: (task: BridgeTask) => Promise<unknown>;
  /** Undefined before the first request and after a failed request. */
  state: ReturnType<typeof bridgeTaskState> | undefined;
  /** Whether the bridge may still send the task's result. */
  isOpen: boolean;
  result: BridgeTaskWithResult['result'];
};

/** Requests a task from a bridge and follows its state. */
export function useBridgeTask(bridge: string): BridgeTaskRequest {
  const asking = useMutation(requestTaskMutation);
  const id = asking.data?.id;
  const { data } = useQuery(bridgeTaskQuery(id));
  const now = useNow(1000);
  const state =
    asking.isPending || (id !== undefined && !data) ? 'waiting' : data && bridgeTaskState(data, now);
  return {
    ask: (task) => asking.mutateAsync({ bridge, task }),
    state,
    isOpen: state === 'waiting' || state === 'taken',
    result: data?.result ?? null,
  };
}

/** A text whose parts between backquotes are shown as code. */
export const TextWithCode = ({ text }: { text: string }) => (
  <>
    {text.split('`').map((part, at) =>
      at % 2 === 0 ? (
        <span key={part}>{part}</span>
      ) : (
        <code key={part} className="rounded bg-sunken px-1 py-0.5 text-sm wrap-anywhere">
          {part}
        </code>
      ),
    )}
  </>
);

/** Shows a text. If the text has commands, everything after the first sentence is collapsed. */
export function OperatorText({ text }: { text: string }) {
  const end = text.includes('`') ? text.indexOf('. ') + 1 : text.length;
  return (
    <div className="text-sm text-ink-soft">
      <p>{text.slice(0, end)}</p>
      {end < text.length && (
        <details>
          <summary className="w-fit cursor-pointer py-1">운영자용 명령</summary>
          <p>
            <TextWithCode text={text.slice(end)} />
          </p>
        </details>
      )}
    </div>
  );
}

export function StepList({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="list-decimal space-y-1 pl-5">
      {steps.map((step) => (
        <li key={step}>
          <TextWithCode text={step} />
        </li>
      ))}
    </ol>
  );
}

type NoteProps = { task: BridgeTaskRequest; done?: ReactNode };

/** The state of a bridge's task: waiting, failed (with the reason) or unanswered (with steps to take). */
export function BridgeTaskNote({ task: { state, result }, done }: NoteProps) {
  return (
    <>
      <output className="block text-sm">
        {state === 'waiting' && (
          <Working text={`${bridgeTaskStateLabels.waiting}입니다. 보통 30초 안에 시작합니다.`} />
        )}
        {state === 'taken' && <Working text={`${bridgeTaskStateLabels.taken}입니다.`} />}
        {state === 'done' && done}
        {state === 'lost' && (
          <span className="font-semibold text-danger">
            브리지가 제때 답하지 않았습니다. 다음을 차례로 봅니다.
          </span>
        )}
        {state === 'failed' && (
          <span className="font-semibold text-danger">하지 못했습니다. 브리지가 알린 이유입니다.</span>
        )}
      </output>
      {state === 'lost' && <StepList steps={silentBridgeSteps} />}
      {state === 'failed' && (
        <pre lang="en" className="rounded-md bg-sunken px-3 py-2 text-sm whitespace-pre-line wrap-anywhere">
          {result?.text}
        </pre>
      )}
    </>
  );
}

function Working({ text }: { text: string }) {
  return (
    <span className="flex items-center gap-2 text-ink-soft">
      <span aria-hidden className="size-2.5 shrink-0 animate-pulse rounded-full bg-accent" />
      {text}
    </span>
  );
}
