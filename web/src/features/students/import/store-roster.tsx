import type { CourseKey } from '#contract/students';
import { hasBegun, runningTerm, termText, type Term } from '#contract/terms';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { serverNow } from '../../../lib/server-time.ts';
import type { PreviewRow } from './import-preview.ts';

type Counts = Record<PreviewRow['kind'], number>;

type Props = {
  course: CourseKey;
  /** Of the ticked rows. */
  counts: Counts;
  /** Enrolments that end. */
  removed: number;
  isBusy: boolean;
  isStoring: boolean;
  onStore: () => void;
  onCancel: () => void;
};

/** The third step. A term that has not begun is asked about, because it locks what earlier terms say of people. */
export function StoreRoster({ course, counts, removed, isBusy, isStoring, onStore, onCancel }: Props) {
  const [asked, setAsked] = useState<{ running: Term; from: HTMLElement }>();
  const isNothing = counts.new + counts.changed + removed === 0;
  return (
    <>
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button
          disabled={isNothing}
          aria-disabled={isBusy}
          onClick={(event) => {
            if (isBusy) return;
            const now = serverNow();
            if (hasBegun(course, now)) onStore();
            else setAsked({ running: runningTerm(now), from: event.currentTarget });
          }}
        >
          {isStoring ? '저장하는 중' : submitLabel(counts, removed)}
        </Button>
        <Button variant="outline" disabled={isStoring} onClick={onCancel}>
          취소
        </Button>
        {isNothing && <p className="text-ink-soft">바뀌는 내용이 없습니다.</p>}
      </div>
      {asked && (
        <ConfirmDialog
          title={`${termText(course)}는 아직 시작하지 않았습니다. 저장할까요?`}
          submitLabel="저장"
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => onStore()}
        >
          <p>
            지금은 {termText(asked.running)}입니다. 저장한 뒤에는 {termText(course)} 전의 명단으로 이 학생들의
            연락처를 바꿀 수 없습니다.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Only rows that change something. */
function submitLabel(counts: Counts, removed: number): string {
  const stored = counts.new + counts.changed;
  const parts = [
    stored > 0 && `${stored}명 ${counts.changed === 0 ? '추가' : '반영'}`,
    removed > 0 && `${removed}명 수강 삭제`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '반영' : parts.join(', ');
}
