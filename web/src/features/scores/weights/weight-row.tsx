import { useState } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { NumberField } from '../setting-fields.tsx';
import { type MissingScoreRule, type ColumnNameOf, type WeightedPart, partName } from './weighting.ts';

const missingOptions: { value: MissingScoreRule; label: string }[] = [
  { value: 'zero', label: '0점' },
  { value: 'left-out', label: '제외하고 계산' },
  { value: 'fail', label: 'F' },
];

type Props = {
  part: WeightedPart;
  nameOf: ColumnNameOf;
  highest: ReadonlyMap<number, number>;
  /** The other parts, with which this part can be merged. */
  others: readonly { value: number; label: string }[];
  onChange: (part: WeightedPart, name: string, mergeKey?: string) => void;
  onJoin: (other: number) => void;
  onSplit: () => void;
};

const ALONE = -1;

/** On phones a button opens the two selects. */
const GRID = 'grid grid-cols-[1fr_5.5rem_6rem] gap-x-3 gap-y-1 sm:grid-cols-[1fr_5.5rem_10rem_7rem_7rem]';
const LABELLED_ON_PHONES = 'sm:[&_label]:sr-only';

/** The column headers. They are hidden from screen readers, because every field has its own label. */
export const WeightHead = () => (
  <div aria-hidden className={`mt-1 py-1 text-sm text-ink-soft ${GRID}`}>
    <span>항목</span>
    <span>비율</span>
    <span>
      만점<span className="max-sm:hidden"> (받을 수 있는 점수)</span>
    </span>
    <span className="max-sm:hidden">미응시 처리</span>
    <span className="max-sm:hidden">그룹</span>
  </div>
);

/** A part of the total: its weight, full marks, and how a missing score counts. */
export function WeightRow({ part, nameOf, highest, others, onChange, onJoin, onSplit }: Props) {
  const { columns, weight, missing, best } = part;
  const name = partName(part, nameOf);
  const isGroup = columns.length > 1;
  const isUsed = weight !== undefined && weight > 0;
  const key = columns[0]?.column;
  const [isMore, setMore] = useState(isGroup || missing !== 'zero');
  const folded = isMore ? '' : 'max-sm:hidden';
  const setFull = (column: number, full: number | undefined, visit: number) => {
    onChange(
      { ...part, columns: columns.map((each) => (each.column === column ? { column, full } : each)) },
      '만점 변경',
      `full ${column} ${visit}`,
    );
  };
  return (
    <li className={`items-center py-1.5 ${GRID}`}>
      <div>
        <span className="font-semibold wrap-anywhere">{name}</span>
        {isGroup && <span className="text-sm text-ink-soft"> {columns.length}개 열</span>}
        <button
          type="button"
          className="block min-h-6 text-sm underline sm:hidden"
          aria-label={`${name} 자세히`}
          aria-expanded={isMore}
          onClick={() => setMore(!isMore)}
        >
          자세히
        </button>
      </div>
      <NumberField
        label={`${name} 비율`}
        isLabelHidden
        unit="%"
        min={0}
        max={100}
        places={1}
        isOptional
        value={weight}
        onChange={(next, visit) => onChange({ ...part, weight: next }, '비율 변경', `weight ${key} ${visit}`)}
      />
      <div className="space-y-1">
        {columns.map(({ column, full }) => (
          <div key={column} className="flex flex-wrap items-center gap-x-2">
            <NumberField
              label={isGroup ? `${nameOf(column)} 만점` : `${name} 만점`}
              isLabelHidden={!isGroup}
              isInline={isGroup}
              unit="점"
              min={0.01}
              max={10_000}
              isOptional
              value={full}
              onChange={(next, visit) => setFull(column, next, visit)}
            />
            <p
              className={`text-xs tabular-nums ${isOver(column, full) ? 'font-semibold text-danger' : 'text-ink-soft'}`}
            >
              최고 {highest.get(column) ?? '–'}점{isOver(column, full) && ', 만점보다 높습니다'}
            </p>
          </div>
        ))}
      </div>
      <SelectField
        className={`${LABELLED_ON_PHONES} ${folded}`}
        label="미응시 처리"
        name={`${name} 미응시 처리`}
        size="sm"
        disabled={!isUsed}
        options={missingOptions}
        value={missing}
        onChange={(next) => onChange({ ...part, missing: next }, '미응시 처리 변경')}
      />
      {isGroup ? (
        <div className={`max-sm:col-span-2 space-y-1 ${folded}`}>
          <NumberField
            label={`${name} 중 반영할 개수`}
            unit={`/ ${columns.length}개`}
            min={1}
            max={columns.length}
            places={0}
            value={best}
            onChange={(next, visit) =>
              onChange({ ...part, best: next ?? columns.length }, '반영할 개수 변경', `best ${key} ${visit}`)
            }
          />
          <Button variant="outline" size="sm" onClick={onSplit}>
            그룹 해제
          </Button>
        </div>
      ) : (
        <SelectField
          className={`${LABELLED_ON_PHONES} max-sm:col-span-2 ${folded}`}
          label="그룹"
          name={`${name} 그룹`}
          size="sm"
          options={[
            { value: ALONE, label: '없음' },
            ...others.map((each) => ({ ...each, label: `${each.label}와 함께` })),
          ]}
          value={ALONE}
          onChange={(other) => {
            if (other !== ALONE) onJoin(other);
          }}
        />
      )}
    </li>
  );

  function isOver(column: number, full: number | undefined): boolean {
    return full !== undefined && (highest.get(column) ?? 0) > full;
  }
}
