import { newBridgeKeySchema } from '#contract/bridges';
import { useMutation } from '@tanstack/react-query';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { copyTextWithToast } from '../../../lib/copy-text.ts';
import { formProblems } from '../../../lib/form-problems.ts';
import { addKeyMutation } from '../queries.ts';
import { parsePlantList } from './bridge-texts.ts';
import { StepList } from './bridge-task.tsx';

type Props = {
  /** The bridge whose key is replaced, with its plants; absent for a new bridge. */
  replaced?: { bridge: string; plants: string[] | null } | undefined;
  returnFocusTo: HTMLElement | null;
  onClose: () => void;
};

const keyOf = ({ bridge, plants }: { bridge: string; plants: string }) => ({
  bridge: bridge.trim(),
  plants: parsePlantList(plants),
});

/** Creates a bridge's key and shows it once. */
export function KeyDialog({ replaced, returnFocusTo, onClose }: Props) {
  const { mutateAsync, data, isPending } = useMutation(addKeyMutation);
  const { draft, form, field } = useDraft({
    start: () => ({ bridge: replaced?.bridge ?? '', plants: replaced?.plants?.join(', ') ?? '' }),
    problemsOf: (draft) => formProblems(newBridgeKeySchema, keyOf(draft)),
    send: (draft) => mutateAsync(keyOf(draft)),
    isPending,
  });
  const title = replaced ? `${replaced.bridge}의 키 교체` : '브리지 추가';
  if (data) {
    const settings = `BRIDGE_ID=${draft.bridge.trim()}\nBRIDGE_KEY=${data.key}`;
    return (
      <DialogFrame
        title="새 키"
        description="지금 한 번만 보입니다. 창을 닫으면 다시 볼 수 없습니다."
        returnFocusTo={returnFocusTo}
        onClose={onClose}
      >
        <pre className="mt-4 rounded-md bg-sunken px-3 py-2 text-sm whitespace-pre-line wrap-anywhere">
          {settings}
        </pre>
        <div className="mt-4">
          <StepList
            steps={[
              `브리지가 있는 컴퓨터에서 입력하고 키를 붙여넣습니다: \`sudo cps-setup --bridge-id ${draft.bridge.trim()}\``,
              '이 화면에서 브리지가 다시 보고하는지 봅니다.',
              ...(replaced ? ['보고하면 이전 키를 폐기합니다. 그때까지는 두 키를 모두 쓸 수 있습니다.'] : []),
            ]}
          />
        </div>
        <DialogFooter className="mt-6">
          <Button variant="outline" onClick={() => void copyTextWithToast(settings)}>
            복사
          </Button>
          <Button onClick={onClose}>닫기</Button>
        </DialogFooter>
      </DialogFrame>
    );
  }
  return (
    <DialogFrame title={title} returnFocusTo={returnFocusTo} onClose={onClose}>
      <form {...form} aria-label={title} className="mt-4 space-y-4">
        <TextField
          label="브리지 이름"
          autoComplete="off"
          spellCheck={false}
          readOnly={replaced !== undefined}
          hint="어느 컴퓨터의 브리지인지 알아볼 이름입니다. 예: greenhouse"
          {...field('bridge')}
        />
        <TextField
          label="보낼 수 있는 화분"
          autoComplete="off"
          hint="토픽 이름을 쉼표로 나눕니다. 비워 두면 모든 화분입니다."
          {...field('plants')}
        />
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            취소
          </Button>
          <Button type="submit" aria-disabled={isPending}>
            키 만들기
          </Button>
        </DialogFooter>
      </form>
    </DialogFrame>
  );
}
