import type { GradeChange } from './graded-class.ts';
import { type Grade, gradeText, type GradeNotation } from './grades.ts';

const SHOWN = 12;

type ChangesProps = { changes: readonly GradeChange[] | undefined; style: GradeNotation };

/** Lists the students whose grade has changed since the user last began to move cut-offs or set grades. */
export function GradeChanges({ changes, style }: ChangesProps) {
  if (!changes) return null;
  const text = (grade: Grade | undefined) => (grade === undefined ? '제외' : gradeText(grade, style));
  return (
    <section
      aria-label="학점이 바뀐 학생"
      className="mt-3 rounded-md border border-line bg-surface px-3 py-2 text-sm"
    >
      <p aria-live="polite" className="font-semibold tabular-nums">
        {changes.length === 0 ? '학점이 바뀐 학생이 없습니다.' : `학점이 바뀐 학생 ${changes.length}명`}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {changes.slice(0, SHOWN).map(({ row, who, from, to, isBetter }) => (
          <li key={row}>
            {who}{' '}
            <span className={`whitespace-nowrap tabular-nums ${isBetter ? 'text-accent' : 'text-danger'}`}>
              {text(from)} → {text(to)}
            </span>
          </li>
        ))}
        {changes.length > SHOWN && <li className="text-ink-soft">외 {changes.length - SHOWN}명</li>}
      </ul>
    </section>
  );
}
