import { type PointerEvent, useMemo, useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { NumberField } from '../setting-fields.tsx';
import { type ChangeWork, withRules, type Work } from '../work.ts';
import { GradeChanges } from './grade-changes.tsx';
import type { GradeChange, GradedRow } from './graded-class.ts';
import { type Grading, roundScore } from './grading.ts';
import {
  type CutoffStart,
  type Histogram,
  histogramOf,
  moveCutoff,
  roundToStep,
  placeOnAxis,
  scoreAt,
  shownCutoff,
  tieText,
  applyTypedCutoff,
} from './histogram.ts';
import { resetCutoffs } from './regulated.ts';
import { type Grade, gradeText } from './grades.ts';
import { type FloorGrade, gradeFloors, assignableGrades, type Rules } from './methods.ts';

type Props = {
  rows: readonly GradedRow[];
  graded: Grading;
  work: Pick<Work, 'rules' | 'style'>;
  /** The grades changed by the last move; undefined if nothing was moved. */
  changes: readonly GradeChange[] | undefined;
  change: ChangeWork;
};

/** Number of lines for labels: neighbouring cut-offs have labels in different lines, so that none overlap. */
const LINES = 3;
const BEYOND_NAMED = 5;

/** The scores of all ranked students, with movable cut-offs between the grades. */
export function ScoreHistogram({ rows, graded, work, changes, change }: Props) {
  const { rules, style } = work;
  const plot = useRef<HTMLDivElement>(null);
  /** Each typed digit moves the cut-offs as they were before the first digit. */
  const typing = useRef<{ key: string; start: CutoffStart; typed: Rules['cutoffs'] }>(undefined);
  const scores = useMemo(
    () =>
      rows.flatMap(({ score, isExcluded }) =>
        score === undefined || isExcluded ? [] : [roundScore(score, rules.rounding)],
      ),
    [rows, rules.rounding],
  );
  const histogram = useMemo(() => {
    const usual = rows.flatMap(({ score, isExcluded, doubt }) =>
      score === undefined || isExcluded || doubt !== '' ? [] : [roundScore(score, rules.rounding)],
    );
    return histogramOf(scores, usual);
  }, [rows, rules.rounding, scores]);
  const isMoved = rules.cutoffs !== undefined;
  const ties = useMemo(() => tieText(rows, isMoved), [rows, isMoved]);
  if (!histogram) return null;
  const readable = (at: number) => shownCutoff(at, scores);
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
  const typeGrade = (grade: Grade, at: number, visit: number) => {
    const key = `${grade} ${visit}`;
    const last = typing.current;
    // Another action may have moved the cut-offs since the last digit.
    const isGoingOn = last?.key === key && last.typed === rules.cutoffs;
    const start = isGoingOn ? last.start : { own: rules.cutoffs, cutoffs: graded.cutoffs };
    const typed = applyTypedCutoff(start, grade, at, rules, scores);
    typing.current = { key, start, typed };
    change('컷 옮기기', (before) => withRules(before, { cutoffs: typed }), `cutoff ${grade} typed ${visit}`);
  };
  const moveFloor = (grade: FloorGrade, at: number, mergeKey: string) => {
    change(
      '최저 점수 기준 이동',
      (before) => withRules(before, { floors: { ...before.rules.floors, [grade]: at } }),
      `floor ${grade} ${mergeKey}`,
    );
  };
  const cutoffs = assignableGrades(rules).slice(0, -1);
  const lowest = scores.reduce((least, score) => Math.min(least, score), 0);
  const beyond = scores.filter((score) => score < histogram.from || score > histogram.to);
  const lines = cutoffs.length > 6 ? LINES + 1 : LINES;
  return (
    <section aria-label="점수 분포" data-distribution>
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
          <p className="text-sm text-ink-soft max-sm:hidden">컷을 끌거나 화살표 키로 옮기거나 입력하세요.</p>
        )}
      </div>
      <div className="contain-content rounded-md border border-line bg-surface px-8 pt-2 pb-1">
        <div ref={plot} className={`relative ${lines > LINES ? 'pt-26' : 'pt-20'}`}>
          <Bars histogram={histogram} />
          {cutoffs.map((grade, index) => (
            <CutoffHandle
              key={grade}
              text={gradeText(grade, style)}
              label={`${gradeText(grade, style)} 컷`}
              at={graded.cutoffs[grade]}
              readable={readable}
              line={index % lines}
              histogram={histogram}
              scoreAtX={placeOf}
              onMove={(at, mergeKey) => moveGrade(grade, at, mergeKey)}
            />
          ))}
          {gradeFloors(rules).map(([grade, at]) => (
            <CutoffHandle
              key={`floor ${grade}`}
              isFloor
              text={`${grade === 'F' && rules.method === 'pass-fail' ? style.fail : gradeText(grade, style)}↓`}
              label={`${grade === 'F' && rules.method === 'pass-fail' ? style.fail : gradeText(grade, style)} 최저 점수 기준`}
              at={at}
              readable={String}
              line={lines}
              histogram={histogram}
              scoreAtX={placeOf}
              onMove={(to, mergeKey) => moveFloor(grade, to, mergeKey)}
            />
          ))}
        </div>
        <Axis histogram={histogram} />
      </div>
      {beyond.length > 0 && (
        <p className="mt-2 text-sm text-notice">
          {`그래프 밖의 점수는 끝 막대에 넣었습니다: ${beyond.slice(0, BEYOND_NAMED).join('점, ')}점${beyond.length > BEYOND_NAMED ? ' …' : ''}`}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-x-4 gap-y-2">
        {cutoffs.map((grade) => (
          <NumberField
            key={grade}
            label={`${gradeText(grade, style)} 컷`}
            isInline
            unit="점"
            min={Math.floor(lowest)}
            max={10_000}
            isOptional={graded.cutoffs[grade] === undefined}
            value={graded.cutoffs[grade]}
            shownAs={readable}
            onChange={(at, visit) => {
              if (at !== undefined) typeGrade(grade, at, visit);
            }}
          />
        ))}
      </div>
      {ties !== undefined && isMoved && <p className="mt-2 text-sm text-ink-soft">{ties}</p>}
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
        className="block h-20 w-full border-b border-line-strong fill-accent/45"
      >
        {bins.map(({ from, count }, place) => (
          <rect key={from} x={place + 0.06} y={highest - count} width={0.88} height={count} />
        ))}
      </svg>
    </>
  );
}

/** The axis, with about six numbers below the bars. */
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

type HandleProps = {
  /** Text on the handle. */
  text: string;
  /** The accessible name of the handle. */
  label: string;
  /** Undefined if nobody has this or a better grade; then the handle is at the end. */
  at: number | undefined;
  readable: (at: number) => number | string;
  isFloor?: boolean;
  /** Index of the label's line, so that neighbouring labels do not overlap. */
  line: number;
  histogram: Histogram;
  scoreAtX: (clientX: number) => number;
  /** Moves with the same key belong to one drag, or to one focus by keyboard. */
  onMove: (at: number, mergeKey: string) => void;
};

const LINE_PX = 24;

/** A cut-off over the histogram, moved by dragging or with the keys of a hidden range input. */
function CutoffHandle({
  text,
  label,
  at,
  readable,
  isFloor = false,
  line,
  histogram,
  scoreAtX,
  onMove,
}: HandleProps) {
  const place = at ?? histogram.to;
  const shown = at === undefined ? '없음' : readable(at);
  const spoken = at === undefined ? '컷 없음' : `${shown}점 ${isFloor ? '미만' : '이상'}`;
  const isDragged = useRef(false);
  const gesture = useRef(0);
  const moveTo = (to: number) => {
    if (to !== at) onMove(to, String(gesture.current));
  };
  const grab = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isDragged.current = true;
    gesture.current += 1;
  };
  const letGo = () => {
    isDragged.current = false;
  };
  const colours = isFloor
    ? 'border-danger bg-danger-wash text-danger'
    : 'border-accent bg-accent text-on-accent';
  return (
    <div
      className="pointer-events-none absolute inset-y-0 w-0"
      style={{ left: `${placeOnAxis(place, histogram) * 100}%` }}
    >
      <input
        type="range"
        aria-label={label}
        aria-valuetext={spoken}
        min={histogram.from}
        max={histogram.to}
        step={histogram.step}
        value={place}
        onFocus={() => {
          gesture.current += 1;
        }}
        onChange={(event) => moveTo(roundToStep(Number(event.target.value), histogram))}
        className="peer sr-only"
      />
      <span
        aria-hidden
        className={`absolute bottom-0 left-0 w-px -translate-x-1/2 peer-focus-visible:w-0.5 ${isFloor ? 'bg-danger' : 'bg-ink-soft'}`}
        style={{ top: line * LINE_PX + 11 }}
      />
      <span
        aria-hidden
        data-cutoff={label}
        title={`${label}: ${spoken}`}
        onPointerDown={grab}
        onPointerMove={(event) => {
          if (isDragged.current) moveTo(scoreAtX(event.clientX));
        }}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        className={`pointer-events-auto absolute left-0 z-10 flex h-5.5 min-w-7 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center rounded-sm border px-1 text-xs font-semibold whitespace-nowrap tabular-nums select-none peer-focus-visible:z-20 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent ${colours}`}
        style={{ top: line * LINE_PX }}
      >
        {text}&nbsp;<span className="font-normal">{shown}</span>
      </span>
    </div>
  );
}
