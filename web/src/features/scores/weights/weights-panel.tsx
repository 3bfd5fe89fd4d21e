import { memo, useEffect, useId, useMemo, useState } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import type { PastedTable } from '../../../lib/paste-table.ts';
import { columnName, type ColumnMapping } from '../columns/class-list.ts';
import { numberColumns } from '../columns/columns.ts';
import { NumberField } from '../setting-fields.tsx';
import { type ChangeWork, withWeighting } from '../work.ts';
import { WeightHead, WeightRow } from './weight-row.tsx';
import { mergeWeightedParts } from './weighting-offer.ts';
import {
  partsWithWeight,
  type Deduction,
  isWeightingReady,
  type WeightedPart,
  partName,
  type Weighting,
  weightSum,
} from './weighting.ts';

type Props = {
  table: PastedTable;
  mapping: ColumnMapping;
  weighting: Weighting;
  change: ChangeWork;
  /** Moves the focus here, because the button that opened the panel has disappeared. */
  takeFocus: (panel: HTMLElement | null) => void;
};

/** The weights of the columns. Nothing is graded until the weights are complete. */
export const WeightsPanel = memo(function WeightsPanel({
  table,
  mapping,
  weighting,
  change,
  takeFocus,
}: Props) {
  const id = useId();
  const highest = useMemo(
    () =>
      new Map(
        numberColumns(table, mapping).flatMap(({ column, highest: most }) =>
          most === undefined ? [] : [[column, most] as const],
        ),
      ),
    [table, mapping],
  );
  const nameOf = (column: number) => columnName(table, mapping, column);
  const set = (name: string, update: (before: Weighting) => Weighting, mergeKey?: string) => {
    change(
      name,
      (work) => (work.weighting ? { ...work, weighting: update(work.weighting) } : work),
      mergeKey,
    );
  };
  const setParts = (
    name: string,
    update: (parts: readonly WeightedPart[]) => readonly WeightedPart[],
    mergeKey?: string,
  ) => {
    set(name, (before) => ({ ...before, parts: update(before.parts) }), mergeKey);
  };
  const { parts } = weighting;
  // Complete weights are collapsed to one line when the screen opens, or when the user continues elsewhere.
  const isReady = isWeightingReady(weighting);
  const [isOpen, setOpen] = useState(!isReady);
  // Incomplete weights, for example after an undo, open the panel. Completing them does not close the panel.
  if (!isReady && !isOpen) setOpen(true);
  useEffect(() => {
    if (!isOpen || !isReady) return undefined;
    const leave = ({ target }: Event) => {
      const isElsewhere =
        target instanceof Element && target.closest('main') && !target.closest(`[aria-labelledby="${id}"]`);
      if (isElsewhere) setOpen(false);
    };
    const over = new AbortController();
    // The panel collapses after the click: if the page moved earlier, the click would hit another element.
    for (const type of ['click', 'keyup']) addEventListener(type, leave, { signal: over.signal });
    return () => over.abort();
  }, [isOpen, isReady, id]);
  const hasFulls = parts.some(({ columns }) => columns.some(({ full }) => full !== undefined));
  const lacksFulls = parts.some(({ columns }) => columns.some(({ full }) => full === undefined));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it takes Enter from its fields
    <section
      ref={takeFocus}
      tabIndex={-1}
      aria-labelledby={id}
      data-open={isOpen || undefined}
      onKeyDown={({ key, target, currentTarget, nativeEvent }) => {
        const isField = target instanceof HTMLInputElement && target.inputMode === 'decimal';
        if (key !== 'Enter' || !isField || !isReady || nativeEvent.isComposing) return;
        // The field disappears. A second Enter must not press a button, so the panel gets the focus.
        currentTarget.focus();
        setOpen(false);
      }}
      // Closing a phone's keyboard takes the focus from the field and gives it to no other element.
      onBlur={({ target, relatedTarget }) => {
        const isHeld = relatedTarget !== null || document.querySelector('body:active') !== null;
        if (isReady && !isHeld && target.inputMode === 'decimal' && document.hasFocus()) setOpen(false);
      }}
      className="peer rounded-md border border-line bg-surface px-4 py-2"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id={id} className="font-bold">
          반영 비율
        </h2>
        {isReady && !isOpen && (
          <p className="grow text-sm tabular-nums">
            {partsWithWeight(weighting)
              .map((part) => `${partName(part, nameOf)} ${part.weight}`)
              .join(' · ')}{' '}
            = {weightSum(weighting)}%
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {isReady && (
            <Button variant="outline" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? '접기' : '펼치기'}
            </Button>
          )}
          {isOpen && lacksFulls && (
            <Button
              variant="outline"
              size="sm"
              onClick={() => setParts('만점을 100점으로', (before) => before.map(withFullMarks))}
            >
              빈 만점을 100점으로
            </Button>
          )}
          {isOpen && hasFulls && (
            <Button
              variant="outline"
              size="sm"
              onClick={() => setParts('만점을 비율로', (before) => before.map(weightedByFull))}
            >
              만점을 그대로 비율로
            </Button>
          )}
          <Button
            variant="outline"
            size="sm"
            onClick={() => change('반영 비율 사용 안 함', (work) => withWeighting(work, undefined))}
          >
            한 열로 매기기
          </Button>
        </div>
      </div>
      {isOpen && (
        <>
          <WeightHead />
          <ul className="divide-y divide-line border-y border-line">
            {parts.map((part, at) => (
              <WeightRow
                // A part keeps its identity while its first column stays the same.
                key={part.columns[0]?.column}
                part={part}
                nameOf={nameOf}
                highest={highest}
                others={parts.flatMap((other, place) =>
                  place === at ? [] : [{ value: place, label: partName(other, nameOf) }],
                )}
                onChange={(next, name, mergeKey) =>
                  setParts(
                    name,
                    (before) => before.map((each, place) => (place === at ? next : each)),
                    mergeKey,
                  )
                }
                onJoin={(other) =>
                  setParts('그룹으로 합치기', (before) =>
                    before.flatMap((each, place) => {
                      if (place === other) return [];
                      const joining = before[other];
                      return place === at && joining ? [mergeWeightedParts([each, joining])] : [each];
                    }),
                  )
                }
                onSplit={() =>
                  setParts('그룹 해제', (before) =>
                    before.flatMap((each, place) =>
                      place === at
                        ? each.columns.map((column) => ({
                            ...each,
                            columns: [column],
                            weight: undefined,
                            best: 1,
                          }))
                        : [each],
                    ),
                  )
                }
              />
            ))}
          </ul>
          <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
            <DeductionsPart
              deductions={weighting.deductions}
              columns={[...highest.keys()].map((column) => ({ value: column, label: nameOf(column) }))}
              suggested={mapping.columns.late ?? mapping.columns.attendance}
              onChange={(deductions, name, mergeKey) =>
                set(name, (before) => ({ ...before, deductions }), mergeKey)
              }
            />
            <label className="flex min-h-9 cursor-pointer items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={weighting.isSumFree}
                onChange={({ target }) =>
                  set('합계 조건 바꾸기', (before) => ({ ...before, isSumFree: target.checked }))
                }
              />
              합계가 100%가 아니어도 매기기 (가산점이 있을 때)
            </label>
            <p
              aria-live="polite"
              className={`font-semibold tabular-nums ${isReady ? 'text-ink' : 'text-notice'}`}
            >
              {statusOf(weighting)}
              {isReady && <span className="font-normal text-ink-soft">. Enter 키를 누르면 접습니다.</span>}
            </p>
          </div>
        </>
      )}
    </section>
  );
});

function statusOf(weighting: Weighting): string {
  const sum = weightSum(weighting);
  const open = partsWithWeight(weighting).filter(({ columns }) =>
    columns.some(({ full }) => full === undefined),
  );
  if (sum === 0) return '합계 0%. 총점에 넣을 열의 비율을 입력하세요.';
  if (sum !== 100 && !weighting.isSumFree) {
    const rest = Math.round(Math.abs(100 - sum) * 10) / 10;
    return `합계 ${sum}%. ${rest}% ${sum < 100 ? '모자라' : '넘어'} 아직 학점을 매기지 않습니다.`;
  }
  if (open.length > 0) return `합계 ${sum}%. 비율을 입력한 열의 만점을 모두 입력하면 학점을 매깁니다.`;
  return `합계 ${sum}%`;
}

function withFullMarks(part: WeightedPart): WeightedPart {
  return { ...part, columns: part.columns.map(({ column, full = 100 }) => ({ column, full })) };
}

/** Sets the weight to the sum of the columns' maximum points: `중간(30점)` counts 30 %. */
function weightedByFull(part: WeightedPart): WeightedPart {
  const full = part.columns.reduce((sum, each) => sum + (each.full ?? 0), 0);
  return full > 0 ? { ...part, weight: Math.round(full * 10) / 10 } : part;
}

type DeductionProps = {
  deductions: readonly Deduction[];
  columns: readonly { value: number; label: string }[];
  /** The column of lateness or absences, if there is one. */
  suggested: number | undefined;
  onChange: (deductions: Deduction[], name: string, mergeKey?: string) => void;
};

/** Points taken off the total for each absence or late arrival. */
function DeductionsPart({ deductions, columns, suggested, onChange }: DeductionProps) {
  const first = suggested ?? columns[0]?.value;
  const set = (at: number, part: Partial<Deduction>, mergeKey?: string) => {
    onChange(
      deductions.map((each, place) => (place === at ? { ...each, ...part } : each)),
      '감점 변경',
      mergeKey,
    );
  };
  return (
    <>
      {deductions.map((deduction, at) => {
        const number = (
          label: string,
          unit: string,
          value: number | undefined,
          partOf: (next: number | undefined) => Partial<Deduction>,
          isOptional = false,
        ) => (
          <NumberField
            {...{ label, unit, value, isOptional }}
            {...(unit === '회' && { places: 0 })}
            min={0}
            max={100}
            onChange={(next, visit) => set(at, partOf(next), `${label} ${at} ${visit}`)}
          />
        );
        return (
          // Two deductions may use the same column, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={at} className="flex basis-full flex-wrap items-end gap-x-4 gap-y-2 py-1">
            <legend className="sr-only">감점 {at + 1}</legend>
            <SelectField
              className="w-36"
              label="횟수가 있는 열"
              size="sm"
              options={columns}
              value={deduction.column}
              onChange={(column) => set(at, { column })}
            />
            {number('1회당', '점', deduction.points, (points = 0) => ({ points }))}
            {number('감점하지 않는 횟수', '회', deduction.free, (free = 0) => ({ free }))}
            {number('최대 감점', '점', deduction.most, (most) => ({ most }), true)}
            <Button
              variant="destructive-ghost"
              size="sm"
              aria-label={`감점 ${at + 1} 지우기`}
              onClick={() =>
                onChange(
                  deductions.filter((_, place) => place !== at),
                  '감점 지우기',
                )
              }
            >
              지우기
            </Button>
          </fieldset>
        );
      })}
      {first !== undefined && (
        <Button
          variant="outline"
          size="sm"
          onClick={() =>
            onChange([...deductions, { column: first, points: 1, free: 0, most: undefined }], '감점 추가')
          }
        >
          결석·지각 감점 추가
        </Button>
      )}
    </>
  );
}
