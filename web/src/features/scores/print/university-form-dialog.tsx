import { useId, useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogClose, DialogFooter } from '../../../components/ui/dialog.tsx';
import { Label } from '../../../components/ui/label.tsx';
import { copyTextWithToast } from '../../../lib/copy-text.ts';
import type { GradedClass } from '../grading/graded-class.ts';
import type { GradeNotation } from '../grading/grades.ts';
import type { GradingMethod } from '../grading/methods.ts';
import { ExcessList } from '../grading/seats-table.tsx';
import { type CopiedColumn, filledForm } from './copied-column.ts';

const NAMED = 10;

type Props = {
  graded: GradedClass;
  style: GradeNotation;
  method: GradingMethod;
  returnFocusTo: HTMLElement;
  onClose: () => void;
};

/** Copies the grades in the order of a pasted list of student numbers, as a university's form needs them. */
export function UniversityFormDialog({ graded, style, method, returnFocusTo, onClose }: Props) {
  const id = useId();
  const [list, setList] = useState('');
  const { excess } = graded.graded;
  const form = list.trim() === '' ? undefined : filledForm(list, graded.rows, 'grades', style);
  const copy = (column: CopiedColumn) => {
    const { text, filled } = filledForm(list, graded.rows, column, style);
    void copyTextWithToast(text, `복사 완료: 학교 양식 순서로 ${filled}명`);
    onClose();
  };
  return (
    <DialogFrame
      title="학교 양식에 맞추기"
      description="학교 양식의 학번 열을 그대로 붙여넣으면, 그 순서대로 학점을 복사합니다. 빈 줄과 머리글도 한 줄로 셉니다."
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <Label htmlFor={id} className="mt-4">
        학번 목록
      </Label>
      <textarea
        id={id}
        rows={6}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        value={list}
        onChange={({ target: { value } }) => setList(value)}
        className="mt-1.5 block w-full overflow-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm text-ink"
      />
      <div aria-live="polite" className="mt-2 space-y-1 text-sm wrap-anywhere">
        {form && (
          <>
            <p className="tabular-nums">{form.filled}명의 학점을 채웁니다.</p>
            <Numbers title="학점표에 없거나 제외한 학번" numbers={form.unknown} />
            <Numbers title="두 번 있어 비워 둔 학번" numbers={form.repeated} />
            <Numbers title="학점표와 이름이 다른 학번" numbers={form.misnamed} />
            <Numbers title="학교 양식에 없는 학생" numbers={form.left} />
          </>
        )}
        {excess.length > 0 && (
          <div className="text-danger">
            <p className="font-semibold">한도를 넘은 학점이 있습니다.</p>
            <ExcessList excess={excess} />
          </div>
        )}
      </div>
      <DialogFooter className="mt-6">
        <DialogClose asChild>
          <Button variant="outline">취소</Button>
        </DialogClose>
        {method !== 'pass-fail' && (
          <Button variant="outline" disabled={!form?.filled} onClick={() => copy('scores')}>
            환산 점수 복사
          </Button>
        )}
        <Button disabled={!form?.filled} onClick={() => copy('grades')}>
          학점 복사
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

function Numbers({ title, numbers }: { title: string; numbers: readonly string[] }) {
  if (numbers.length === 0) return null;
  const rest = numbers.length > NAMED ? ` 외 ${numbers.length - NAMED}명` : '';
  return (
    <p className="text-notice tabular-nums">
      {title} {numbers.length}명: {numbers.slice(0, NAMED).join(', ')}
      {rest}
    </p>
  );
}
