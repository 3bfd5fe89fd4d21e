import { DialogFrame } from '../../../components/dialog-frame.tsx';
import type { Formula } from '../weights/weighting.ts';
import type { GradedRow } from './graded-class.ts';
import { gradeText, type GradeNotation } from './grades.ts';

type Props = {
  row: GradedRow;
  style: GradeNotation;
  /** Undefined if the score is a single column. */
  formula: Formula | undefined;
  returnFocusTo: HTMLElement;
  onClose: () => void;
};

/** Explains one student's score and grade. */
export function GradeDialog({ row, style, formula, returnFocusTo, onClose }: Props) {
  const grade = row.grade === undefined ? '제외' : gradeText(row.grade, style);
  const facts = [
    ['점수', row.scoreCell],
    ['점수 산출', row.total && formula ? formula.textOf(row.total) : ''],
    ['산정 근거', reasonText(row)],
  ].filter(([, text]) => text !== '');
  return (
    <DialogFrame
      title={`${row.name || row.id || `${row.row + 1}행`} · ${grade}`}
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <dl className="mt-3 tabular-nums">
        {facts.map(([label, text]) => (
          <div key={label} className="flex gap-3 border-b border-line py-2 last:border-0">
            <dt className="w-20 shrink-0 text-ink-soft">{label}</dt>
            <dd className="min-w-0 wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  );
}

/** The warning about the score, if there is one, and the reason for the grade. */
export const reasonText = (row: GradedRow): string => [row.doubt, row.reason()].filter(Boolean).join(' ');
