import { useId } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { usePrintedAt } from '../../../components/printed.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import type { GradedClass, GradedRow } from '../grading/graded-class.ts';
import { namesUpTo } from '../grading/grading.ts';
import { isAsRegulated, regulationOf } from '../grading/regulated.ts';
import { scoreForGrade, gradeText, type GradeNotation } from '../grading/grades.ts';
import { bandsOf, manualGrades, methodLabels, type Rules, effectiveShares } from '../grading/methods.ts';
import type { BandCount } from '../grading/seats.ts';
import { type Formula, isPlainTotal, pointsText } from '../weights/weighting.ts';
import type { ChangeWork, SheetHeading } from '../work.ts';

type Props = {
  graded: GradedClass;
  rules: Rules;
  style: GradeNotation;
  heading: SheetHeading;
  scoreOrigin: string;
  /** How weighted totals were computed; undefined if the score is a single column. */
  formula: Formula | undefined;
};

/** A date to be filled in by hand. */
const DAY = '20      년      월      일'.replaceAll(' ', '\u00a0');

const TABLE =
  'mt-3 border-collapse tabular-nums [&_td]:border-b [&_td]:border-line [&_td]:px-1 [&_td]:py-px [&_th]:border-b [&_th]:border-ink [&_th]:px-1 [&_th]:py-0.5';

/** The printed sheet. It exists only while printing, because rendering all rows of the class is slow. */
export function PrintSheet({ graded, rules, style, heading, scoreOrigin, formula }: Props) {
  const printedAt = usePrintedAt();
  if (printedAt === undefined) return null;
  const { count, outside } = graded.graded;
  const hasScores = rules.method !== 'pass-fail';
  return (
    <div data-printed data-score-sheet className="hidden text-sm print:block">
      <h2 className="text-lg font-bold">
        성적표{heading.course !== '' && ` — ${heading.course}`}
        {heading.term !== '' && ` (${heading.term})`}
      </h2>
      <p>
        {ruleText(rules)} · {count}명{outside > 0 && ` (정원 외 ${outside}명 별도)`} ·{' '}
        {seoulDateTime(printedAt)}
      </p>
      <p>점수: {scoreOrigin}</p>
      <Distribution graded={graded} rules={rules} style={style} />
      <table className={`${TABLE} w-full text-left text-xs leading-tight`}>
        <thead>
          <tr>
            <th>행</th>
            <th>학번</th>
            <th>이름</th>
            {formula?.parts.map(({ name, weight }) => (
              <th key={name}>
                {name} {weight}%
              </th>
            ))}
            <th>{formula ? '총점' : scoreOrigin}</th>
            <th>학점</th>
            {hasScores && <th>환산 점수</th>}
            <th>산정 근거</th>
          </tr>
        </thead>
        <tbody>
          {graded.rows.map((row) => (
            <tr key={row.row} className="break-inside-avoid">
              <td>{row.row + 1}</td>
              <td>{row.id}</td>
              <td>{row.name}</td>
              {formula?.parts.map(({ name }, at) => {
                const part = row.total?.parts[at];
                return <td key={name}>{part && pointsText(part)}</td>;
              })}
              <td>{row.scoreCell}</td>
              <td>{row.grade && gradeText(row.grade, style)}</td>
              {hasScores && <td>{row.grade && scoreForGrade(row.grade)}</td>}
              <td className="text-[0.625rem] leading-none">{whyOf(row, formula)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-6 flex break-inside-avoid justify-end gap-10">
        <span>{DAY}</span>
        <span>
          담당 {heading.lecturer} <span className="inline-block w-40 border-b border-line-strong" /> (서명)
        </span>
      </p>
    </div>
  );
}

/** The reason for the grade, and the formula of the total unless the printed parts explain the total. */
function whyOf({ total, reason }: GradedRow, formula: Formula | undefined): string {
  const isTold = !formula || !total?.total || isPlainTotal(total);
  return isTold ? reason() : `${formula.textOf(total)}. ${reason()}`;
}

function ruleText(rules: Rules): string {
  const { method } = rules;
  const shares = effectiveShares(rules)
    .map((share, band) => `${bandsOf(rules)[band]?.name ?? ''} ${share}%`)
    .concat(method === 'relative' && rules.mostB !== undefined ? `B만 ${rules.mostB}%` : [])
    .join(', ');
  const regulation = isAsRegulated(rules) ? regulationOf(rules) : undefined;
  const kind = regulation?.kinds[rules.regulation?.kind ?? 0]?.name;
  const rule = rules.isUncapped && rules.cutoffs ? '비율 없음' : `${methodLabels[method]} (${shares})`;
  return [
    regulation ? `${regulation.university} ${kind ?? ''}: ${rule}` : rule,
    ...(rules.cutoffs ? ['컷 직접 지정'] : []),
  ].join(', ');
}

/** The number of students per grade, and the caps. */
function Distribution({ graded, rules, style }: Pick<Props, 'graded' | 'rules' | 'style'>) {
  const { counts, count, bands, excess } = graded.graded;
  const grades = manualGrades(rules);
  return (
    <>
      <table className={`${TABLE} text-center`}>
        <caption className="sr-only">학점 분포</caption>
        <thead>
          <tr>
            <th>학점</th>
            {grades.map((grade) => (
              <th key={grade}>{gradeText(grade, style)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th>인원</th>
            {grades.map((grade) => (
              <td key={grade}>{counts.get(grade) ?? 0}</td>
            ))}
          </tr>
          <tr>
            <th>%</th>
            {grades.map((grade) => (
              <td key={grade}>{percentOf(counts.get(grade) ?? 0, count)}</td>
            ))}
          </tr>
        </tbody>
      </table>
      <p className="mt-1">
        {capsText(bands)}
        {excess.length > 0 && ' · 한도 초과'}
      </p>
    </>
  );
}

/** Counts and caps: `A 12명 (한도 12명) · A·B 27명 (한도 28명), B만 15명 (한도 16명)` */
export const capsText = (bands: readonly BandCount[]) =>
  bands
    .slice(0, -1)
    .map(({ name, used, usedUpTo, cap, ownCap }, at) => {
      const alone = ownCap === Infinity ? '' : `, ${name}만 ${used}명 (한도 ${ownCap}명)`;
      return `${namesUpTo(bands, at)} ${usedUpTo}명 (한도 ${cap}명)${alone}`;
    })
    .join(' · ');

function percentOf(part: number, whole: number): string {
  return whole === 0 ? '0' : (Math.round((part * 1000) / whole) / 10).toFixed(1);
}

const MAX_LENGTH = 60;
const fields = { course: '강의', term: '학기', lecturer: '담당' } as const;

type HeadingProps = {
  heading: SheetHeading;
  /** Printed in place of an empty field. */
  usual: SheetHeading;
  change: ChangeWork;
  returnFocusTo: HTMLElement;
  onClose: () => void;
};

/** Edits the heading of the printed sheet and prints it. */
export function PrintDialog({ heading, usual, change, returnFocusTo, onClose }: HeadingProps) {
  const id = useId();
  return (
    <DialogFrame
      title="성적표 인쇄"
      description="비워 두면 흐리게 보이는 내용을 인쇄합니다."
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <form
        id={id}
        className="mt-4 space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          print();
          onClose();
        }}
      >
        {(['course', 'term', 'lecturer'] as const).map((field) => (
          <TextField
            key={field}
            label={fields[field]}
            maxLength={MAX_LENGTH}
            autoComplete="off"
            placeholder={usual[field]}
            value={heading[field]}
            onChange={({ target: { value } }) =>
              change(
                '인쇄할 내용 변경',
                (work) => ({ ...work, heading: { ...work.heading, [field]: value } }),
                `heading ${field}`,
              )
            }
          />
        ))}
      </form>
      <DialogFooter className="mt-5">
        <Button variant="outline" onClick={onClose}>
          취소
        </Button>
        <Button type="submit" form={id}>
          인쇄
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
