import { plantIdSchema } from '#contract/plant-id';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { BridgeTaskNote } from './task-note.tsx';
import { useBridgeTask } from './use-bridge-task.ts';

type Props = { bridge: string; returnFocusTo: HTMLElement | null; onClose: () => void };

export function RevokeDialog({ bridge, returnFocusTo, onClose }: Props) {
  const task = useBridgeTask(bridge);
  const { draft, form, field } = useDraft({
    start: () => ({ plant: '' }),
    problemsOf: ({ plant }) =>
      plantIdSchema.safeParse(plant.trim()).success ? {} : { plant: '화분의 이름을 입력하세요' },
    send: ({ plant }) => task.ask({ kind: 'board_revoke', plant: plant.trim() }),
    isPending: task.isOpen,
  });
  return (
    <DialogFrame
      title="보드 비밀번호 폐기"
      description="새 비밀번호를 받을 때까지 보드가 연결하지 못합니다. 측정값은 남습니다."
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <form {...form} aria-label="보드 비밀번호 폐기" className="mt-4 space-y-4">
        <TextField
          label="화분"
          autoComplete="off"
          readOnly={task.isOpen}
          hint="보드의 사용자 이름인 토픽 이름입니다."
          {...field('plant')}
        />
        <BridgeTaskNote
          task={task}
          done={<span className="text-accent-strong">{draft.plant.trim()}의 비밀번호를 폐기했습니다.</span>}
        />
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            닫기
          </Button>
          <Button type="submit" variant="destructive" aria-disabled={task.isOpen}>
            폐기
          </Button>
        </DialogFooter>
      </form>
    </DialogFrame>
  );
}
