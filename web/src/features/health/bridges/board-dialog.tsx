import { BOARD_KINDS, type BoardKind } from '#contract/bridges';
import { plantIdSchema } from '#contract/plant-id';
import { strToU8, zipSync } from 'fflate';
import { useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { newBoardPassword, withPassword } from './board-password.ts';
import { boardArchiveName, boardProgramLabels, boardSetupSteps } from './bridge-texts.ts';
import { StepList, BridgeTaskNote, useBridgeTask } from './bridge-task.tsx';

type Props = { bridge: string; returnFocusTo: HTMLElement | null; onClose: () => void };

const programs = BOARD_KINDS.map((value) => ({ value, label: boardProgramLabels[value] }));
const start: { plant: string; program: BoardKind } = { plant: '', program: 'micropython' };

function plantProblem(plant: string): string | undefined {
  // On an insecure origin the browser has no cryptographic functions.
  if (!isSecureContext) return '이 주소에서는 비밀번호를 만들 수 없습니다. https나 http://127.0.0.1로 여세요';
  return plantIdSchema.safeParse(plant).success
    ? undefined
    : '화분의 이름을 입력하세요. / + # 은 쓸 수 없습니다';
}

/** Registers a board at a bridge's broker and offers the board's files as one download. */
export function BoardDialog({ bridge, returnFocusTo, onClose }: Props) {
  const task = useBridgeTask(bridge);
  const [password, setPassword] = useState('');
  const { draft, form, field, change } = useDraft({
    start: () => start,
    problemsOf: ({ plant }) => {
      const problem = plantProblem(plant.trim());
      return problem === undefined ? {} : { plant: problem };
    },
    send: async ({ plant, program }) => {
      const made = await newBoardPassword();
      setPassword(made.password);
      await task.ask({ kind: 'board_add', plant: plant.trim(), program, entry: made.entry });
    },
    isPending: task.isOpen,
  });
  const files = task.state === 'done' ? task.result?.files : undefined;
  const name = boardArchiveName(draft.plant.trim(), draft.program);
  return (
    <DialogFrame
      title={files ? `${draft.plant.trim()} 보드를 만들었습니다` : '보드 만들기'}
      description={
        files
          ? '파일에 보드의 비밀번호가 들어 있습니다. 다른 곳에는 남지 않으므로, 창을 닫기 전에 저장하세요.'
          : '보드마다 자기 화분만 쓸 수 있는 비밀번호를 줍니다. 이미 있는 보드는 비밀번호가 바뀝니다.'
      }
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      {files ? (
        <div className="mt-4 space-y-4">
          <Button lines="more" onClick={() => download(name, withPassword(files, password))}>
            {name} 저장
          </Button>
          <StepList steps={[...boardSetupSteps[draft.program], '1분 뒤 화분 관리에 첫 측정값이 보입니다.']} />
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              닫기
            </Button>
          </DialogFooter>
        </div>
      ) : (
        <form {...form} aria-label="보드 만들기" className="mt-4 space-y-4">
          <TextField
            label="화분"
            autoComplete="off"
            readOnly={task.isOpen}
            hint="화분의 토픽 이름이며 보드의 사용자 이름입니다. 예: fern"
            {...field('plant')}
          />
          <SelectField
            label="보드의 프로그램"
            options={programs}
            value={draft.program}
            onChange={(program) => change({ program })}
            disabled={task.isOpen}
          />
          <BridgeTaskNote task={task} />
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              취소
            </Button>
            <Button type="submit" aria-disabled={task.isOpen}>
              {task.state === 'failed' || task.state === 'lost' ? '다시 시도' : '만들기'}
            </Button>
          </DialogFooter>
        </form>
      )}
    </DialogFrame>
  );
}

function download(name: string, files: readonly { path: string; text: string }[]): void {
  const content = Object.fromEntries(files.map(({ path, text }) => [path, strToU8(text)]));
  saveFile(name, 'application/zip', zipSync(content));
}

type RevokeDialogProps = { bridge: string; returnFocusTo: HTMLElement | null; onClose: () => void };

export function RevokeDialog({ bridge, returnFocusTo, onClose }: RevokeDialogProps) {
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
