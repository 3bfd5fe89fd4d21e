import { CHOSEN_MAX, type BookedEntry } from '#contract/ledger';
import { Button } from '../../../components/ui/button.tsx';
import { signedText } from '../labels.ts';
import { sumOf } from './delete-dialog.tsx';

type Props = {
  chosen: readonly BookedEntry[];
  /** How many entries are listed. */
  listed: number;
  onAll: () => void;
  onNone: () => void;
  onCategorize: (from: HTMLElement) => void;
  onDelete: (from: HTMLElement) => void;
  onEnd: () => void;
};

/** What can be done with the ticked entries. */
export function ChosenBar({ chosen, listed, onAll, onNone, onCategorize, onDelete, onEnd }: Props) {
  const isTooMany = chosen.length > CHOSEN_MAX;
  return (
    <section
      aria-label="선택한 내역"
      className="mb-3 flex flex-wrap items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm tabular-nums"
    >
      <p aria-live="polite" className="grow">
        <span className="font-semibold">{chosen.length}건 선택</span>
        {chosen.length > 0 && ` · 합계 ${signedText(sumOf(chosen))}`}
        {isTooMany && <span className="text-danger"> · 한 번에 {CHOSEN_MAX}건까지 선택할 수 있습니다.</span>}
      </p>
      {chosen.length < listed && (
        <Button variant="ghost" size="sm" onClick={onAll}>
          {listed}건 모두 선택
        </Button>
      )}
      {chosen.length > 0 && (
        <Button variant="ghost" size="sm" onClick={onNone}>
          선택 해제
        </Button>
      )}
      <Button variant="outline" size="sm" onClick={onEnd}>
        선택 끝내기
      </Button>
      <Button
        variant="outline"
        size="sm"
        disabled={chosen.length === 0 || isTooMany}
        onClick={({ currentTarget }) => onCategorize(currentTarget)}
      >
        분류 변경
      </Button>
      <Button
        variant="destructive"
        size="sm"
        disabled={chosen.length === 0 || isTooMany}
        onClick={({ currentTarget }) => onDelete(currentTarget)}
      >
        {chosen.length}건 삭제
      </Button>
    </section>
  );
}
