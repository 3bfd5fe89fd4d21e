import { useMemo, useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { GradeChange } from '../grade-changes.ts';
import type { GradedRow } from '../graded-class.ts';
import { roundScore, type Graded } from '../grading.ts';
import { histogramOf, moveCutoff, placeOnAxis, scoreAt, type Histogram } from '../histogram.ts';
import { resetCutoffs } from '../regulated.ts';
import { floorsOf, ladderOf, type FloorGrade } from '../rules.ts';
import { gradeText, type Grade } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { withRules, type Work } from '../class-work.ts';
import { CutoffFields } from './cutoff-fields.tsx';
import { CutoffHandle } from './cutoff-handle.tsx';
import { GradeChanges } from './grade-changes-part.tsx';

type Props = {
  rows: readonly GradedRow[];
  graded: Graded;
  work: Pick<Work, 'rules' | 'style'>;
  /** Whose grade the last move has changed; undefined if none was moved. */
  changes: readonly GradeChange[] | undefined;
  change: Change;
};

/** Number of lines on which labels of neighbouring cut-offs alternate. */
const LINES = 3;

/** The scores of all ranked students, and movable cut-offs between their grades. */
export function ScoreHistogram({ rows, graded, work, changes, change }: Props) {
  const { rules, style } = work;
  const plot = useRef<HTMLDivElement>(null);
  const scores = useMemo(
    () =>
      rows.flatMap(({ score, isExcluded }) =>
        score === undefined || isExcluded ? [] : [roundScore(score, rules.rounding)],
      ),
    [rows, rules.rounding],
  );
  const histogram = useMemo(() => histogramOf(scores), [scores]);
  if (!histogram) return null;
  const placeOf = (clientX: number) => {
    const box = plot.current?.getBoundingClientRect();
    return box ? scoreAt((clientX - box.left) / box.width, histogram) : histogram.from;
  };
  const moveGrade = (grade: Grade, at: number, mergeKey: string) => {
    change(
      '컷 옮기기',
      (before) =>
        withRules(before, {
          cutoffs: moveCutoff(before.rules.cutoffs ?? graded.cutoffs, grade, at, before.rules),
        }),
      `cutoff ${grade} ${mergeKey}`,
    );
  };
  const moveFloor = (grade: FloorGrade, at: number, mergeKey: string) => {
    change(
      '하한 옮기기',
      (before) => withRules(before, { floors: { ...before.rules.floors, [grade]: at } }),
      `floor ${grade} ${mergeKey}`,
    );
  };
  const cutoffs = ladderOf(rules).slice(0, -1);
  const lines = cutoffs.length > 6 ? LINES + 1 : LINES;
  return (
    <section aria-label="점수 분포">
      <div className="-mt-1.5 mb-1 flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h2 className="font-bold">점수 분포와 컷</h2>
        {rules.cutoffs ? (
          <Button
            variant="outline"
            size="sm"
            onClick={() =>
              change('컷 다시 정하기', (before) => withRules(before, resetCutoffs(before.rules)))
            }
          >
            {rules.isUncapped ? '규정의 점수로 다시 정하기' : '비율대로 다시 정하기'}
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">
            컷을 마우스로 끌거나 화살표 키로 옮기거나 아래에 입력하세요.
          </p>
        )}
      </div>
      <div className="contain-content rounded-md border border-line bg-surface px-8 pt-3 pb-2">
        <div ref={plot} className={`relative ${lines > LINES ? 'pt-30' : 'pt-24'}`}>
          <Bars histogram={histogram} />
          {cutoffs.map((grade, index) => (
            <CutoffHandle
              key={grade}
              text={gradeText(grade, style)}
              label={`${gradeText(grade, style)} 컷`}
              at={graded.cutoffs[grade] ?? histogram.to}
              line={index % lines}
              histogram={histogram}
              scoreAtX={placeOf}
              onMove={(at, mergeKey) => moveGrade(grade, at, mergeKey)}
            />
          ))}
          {floorsOf(rules).map(([grade, at]) => (
            <CutoffHandle
              key={`floor ${grade}`}
              isFloor
              text={`${grade === 'F' && rules.method === 'pass-fail' ? style.fail : gradeText(grade, style)}↓`}
              label={`${grade === 'F' && rules.method === 'pass-fail' ? style.fail : gradeText(grade, style)} 하한`}
              at={at}
              line={lines}
              histogram={histogram}
              scoreAtX={placeOf}
              onMove={(to, mergeKey) => moveFloor(grade, to, mergeKey)}
            />
          ))}
        </div>
        <Axis histogram={histogram} />
      </div>
      <CutoffFields
        cutoffs={cutoffs.map((grade) => ({
          grade,
          label: `${gradeText(grade, style)} 컷`,
          at: graded.cutoffs[grade],
        }))}
        onMove={(grade, at, visit) => moveGrade(grade, at, `typed ${visit}`)}
      />
      <GradeChanges changes={changes} style={style} />
    </section>
  );
}

function Bars({ histogram: { bins, highest } }: { histogram: Histogram }) {
  const text = bins
    .filter(({ count }) => count > 0)
    .map(({ from, to, count }) => `${from}점부터 ${to}점 전까지 ${count}명`)
    .join(', ');
  return (
    <>
      <p className="sr-only">점수 분포: {text}</p>
      <svg
        aria-hidden
        viewBox={`0 0 ${bins.length} ${highest}`}
        preserveAspectRatio="none"
        className="block h-36 w-full border-b border-line-strong fill-accent/45"
      >
        {bins.map(({ from, count }, place) => (
          <rect key={from} x={place + 0.06} y={highest - count} width={0.88} height={count} />
        ))}
      </svg>
    </>
  );
}

/** About six numbers below the bars. */
function Axis({ histogram }: { histogram: Histogram }) {
  const { from, to } = histogram;
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => (to - from) / each <= 6) ?? (to - from) / 5;
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return (
    <div aria-hidden className="relative h-6 text-xs text-ink-soft tabular-nums">
      {ticks.map((tick) => (
        <span
          key={tick}
          className="absolute top-1 -translate-x-1/2"
          style={{ left: `${placeOnAxis(tick, histogram) * 100}%` }}
        >
          {tick}
        </span>
      ))}
    </div>
  );
}
