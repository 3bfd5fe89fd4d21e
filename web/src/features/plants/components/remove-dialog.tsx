import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { wholeCsvUrl } from '../queries.ts';

type Props = {
  plant: string;
  readings: number;
  onRemove: () => void;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
};

/** Offers the readings as a file before they are deleted with their plant. */
export function RemoveDialog({ plant, readings, onRemove, onClose, returnFocusTo }: Props) {
  return (
    <ConfirmDialog
      title={`${plant} 삭제`}
      submitLabel="삭제"
      isDestructive
      onSubmit={onRemove}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <p>
        측정값 {readings.toLocaleString('ko')}건과 설정을 함께 삭제하며 되돌릴 수 없습니다.
        {readings > 0 && ' 필요하면 먼저 CSV로 저장하세요.'}
      </p>
      {readings > 0 && (
        <Button asChild variant="outline" size="sm" className="mt-3">
          <a href={wholeCsvUrl(plant)} download>
            CSV 저장
          </a>
        </Button>
      )}
      <p className="mt-3">
        보드가 값을 계속 보내면 새 화분으로 다시 나타납니다. 보드를 먼저 끄세요. 알림 수신처에서 이 화분을
        선택해 두었으면 그 선택은 남습니다.
      </p>
    </ConfirmDialog>
  );
}
