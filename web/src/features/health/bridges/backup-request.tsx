import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { bridgesQuery } from '../queries.ts';
import { OperatorText, BridgeTaskNote, useBridgeTask } from './bridge-task.tsx';

/** Shows a button that requests a backup from a bridge, or the backup command if no bridge can back up. */
export function BackupRequest() {
  const { data } = useQuery(bridgesQuery);
  const able = data?.bridges.find(({ alive, does }) => alive && does?.includes('backup'));
  if (!data) return null;
  if (able) return <Ask bridge={able.bridge} />;
  return (
    <OperatorText text="백업 파일은 운영자의 컴퓨터에 남아야 하므로, 이 화면에서 시작할 수 없습니다. 그 컴퓨터에서 입력합니다: `npm run backup -- --remote`" />
  );
}

function Ask({ bridge }: { bridge: string }) {
  const task = useBridgeTask(bridge);
  return (
    <div className="space-y-2">
      <Button
        variant="outline"
        size="sm"
        className="print:hidden"
        aria-disabled={task.isOpen}
        onClick={() => {
          if (!task.isOpen) void task.ask({ kind: 'backup' }).catch(() => undefined);
        }}
      >
        지금 백업
      </Button>
      <BridgeTaskNote
        task={task}
        done={
          <span className="wrap-anywhere text-accent-strong">
            {`백업했습니다. ${task.result?.text.split('\n').at(-1) ?? ''}`}
          </span>
        }
      />
    </div>
  );
}
