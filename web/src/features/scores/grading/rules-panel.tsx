import { memo } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { readNumber } from '../numbers.ts';
import { NumberField, SettingGroup } from '../setting-fields.tsx';
import { type ChangeWork, withRules, withScale } from '../work.ts';
import { MethodPart, SharesPart } from './method-part.tsx';
import { RegulationPart } from './regulation-part.tsx';
import { gradeText, type GradeNotation } from './grades.ts';
import {
  type AttendanceMeaning,
  type AttendanceRule,
  type FloorGrade,
  gradesWithFloor,
  type Rounding,
  type Rules,
} from './methods.ts';

type Props = {
  rules: Rules;
  style: GradeNotation;
  /** Number of students from which the shares are computed. */
  count: number;
  hasAttendance: boolean;
  hasLate: boolean;
  /** A cell with a percentage of attendance that may be a fraction. */
  fraction: string | undefined;
  change: ChangeWork;
};

/** The grading rules. Each part renders again only when its own rules change, not while a cut-off moves. */
export function RulesPanel({ rules, style, count, hasAttendance, hasLate, fraction, change }: Props) {
  const { method, scale, shares, mostB, plusShare, minusShare, floors, attendance, rounding } = rules;
  return (
    <div className="space-y-6">
      <RegulationPart rules={rules} count={count} change={change} />
      <MethodPart method={method} shares={shares} scale={scale} change={change} />
      <SharesPart {...{ method, shares, scale, mostB, plusShare, minusShare, change }} />
      <FloorsPart method={method} scale={scale} floors={floors} style={style} change={change} />
      <AttendancePanel rule={attendance} {...{ hasAttendance, hasLate, fraction, change }} />
      <NotationPart method={method} scale={scale} rounding={rounding} style={style} change={change} />
    </div>
  );
}

type FloorsProps = Pick<Rules, 'method' | 'scale' | 'floors'> & { style: GradeNotation; change: ChangeWork };

const FloorsPart = memo(function FloorsPart({ method, scale, floors, style, change }: FloorsProps) {
  const grades = gradesWithFloor({ method, scale });
  const setFloor = (grade: FloorGrade, at: number | undefined, visit: number) => {
    change(
      '최저 점수 기준 변경',
      (work) => {
        const { [grade]: _, ...others } = work.rules.floors;
        return withRules(work, { floors: at === undefined ? others : { ...others, [grade]: at } });
      },
      `floor ${grade} ${visit}`,
    );
  };
  return (
    <SettingGroup
      title="최저 점수 기준"
      note="이 점수보다 낮으면 그 학점을 받습니다. 비워 두면 적용하지 않습니다."
    >
      <div className="grid grid-cols-3 gap-3 xl:grid-cols-2">
        {grades.map((grade) => (
          <NumberField
            key={grade}
            label={gradeText(method === 'pass-fail' ? 'NP' : grade, style)}
            unit="점"
            min={0}
            max={1000}
            isOptional
            value={floors[grade]}
            onChange={(at, visit) => setFloor(grade, at, visit)}
          />
        ))}
      </div>
    </SettingGroup>
  );
});

const meaningOptions: { value: AttendanceMeaning; label: string }[] = [
  { value: 'off', label: '적용 안 함' },
  { value: 'absences', label: '결석 횟수' },
  { value: 'attended', label: '출석 횟수' },
  { value: 'percent', label: '출석률 (%)' },
];

type AttendanceProps = { rule: AttendanceRule } & Pick<
  Props,
  'hasAttendance' | 'hasLate' | 'fraction' | 'change'
>;

/** A student with too many absences fails, but only after the user has said what the column counts. */
const AttendancePanel = memo(function AttendancePanel({
  rule,
  hasAttendance,
  hasLate,
  fraction,
  change,
}: AttendanceProps) {
  const set = (part: Partial<AttendanceRule>, mergeKey?: string) => {
    change(
      '출석 규칙 변경',
      (work) => withRules(work, { attendance: { ...work.rules.attendance, ...part } }),
      mergeKey,
    );
  };
  const number = (
    name: 'sessions' | 'threshold' | 'latesPerAbsence',
    label: string,
    unit: string,
    [min, max]: [number, number],
  ) => (
    <NumberField
      {...{ label, unit, min, max, value: rule[name], ...(unit === '회' && { places: 0 }) }}
      onChange={(value, visit) => set({ [name]: value }, `${name} ${visit}`)}
    />
  );
  if (!hasAttendance) {
    return (
      <SettingGroup title="출석 규칙">
        <p className="text-sm text-ink-soft">출석 열을 고르면 쓸 수 있습니다.</p>
      </SettingGroup>
    );
  }
  return (
    <SettingGroup
      title="출석 규칙"
      {...(rule.meaning === 'off' && { note: '출석 열의 숫자가 무엇인지 골라야 적용됩니다.' })}
    >
      <SelectField
        isLabelHidden
        label="출석 숫자의 뜻"
        size="sm"
        options={meaningOptions}
        value={rule.meaning}
        onChange={(meaning) => set({ meaning })}
      />
      {rule.meaning === 'percent' && fraction !== undefined && (
        <FractionQuestion
          fraction={fraction}
          areFractions={rule.areFractions}
          onAnswer={(areFractions) => set({ areFractions })}
        />
      )}
      {rule.meaning !== 'off' && (
        <div className="mt-3 grid grid-cols-3 items-end gap-3 xl:grid-cols-2">
          {number('sessions', '전체 수업', '회', [1, 1000])}
          {number('threshold', '결석 기준', '%', [0.1, 100])}
          {hasLate && number('latesPerAbsence', '결석이 되는 지각', '회', [1, 100])}
        </div>
      )}
    </SettingGroup>
  );
});

type FractionProps = Pick<AttendanceRule, 'areFractions'> & {
  fraction: string;
  onAnswer: (areFractions: boolean) => void;
};

/** Asks what `0.95` means: in a spreadsheet it is 95 %, but read literally it is less than 1 %. */
function FractionQuestion({ fraction, areFractions, onAnswer }: FractionProps) {
  const percent = Math.round((readNumber(fraction) ?? 0) * 1e6) / 1e4;
  return (
    <fieldset className="mt-3 space-y-1 rounded-md bg-notice-wash px-3 py-2 text-sm text-notice">
      <legend className="float-left mb-1 font-semibold">
        출석률 {fraction}: {percent}%를 뜻합니까?
      </legend>
      {[true, false].map((each) => (
        <label key={String(each)} className="clear-both flex min-h-8 cursor-pointer items-center gap-2">
          <input
            type="radio"
            name="attendance-fraction"
            className="size-4 accent-accent"
            checked={areFractions === each}
            onChange={() => onAnswer(each)}
          />
          {each ? `예, ${fraction} = ${percent}%` : `아니요, ${fraction}%`}
        </label>
      ))}
      {areFractions === undefined && (
        <p aria-live="polite">답하기 전에는 1 이하인 출석률로 F를 주지 않습니다.</p>
      )}
    </fieldset>
  );
}

const roundingOptions: { value: Rounding; label: string }[] = [
  { value: 'none', label: '안 함' },
  { value: 'down', label: '버림' },
  { value: 'half-up', label: '반올림' },
];

const zeroOptions = [
  { value: 'A', label: 'A+, A' },
  { value: 'A0', label: 'A+, A0' },
] as const;
const failOptions = [
  { value: 'N', label: 'N' },
  { value: 'NP', label: 'NP' },
] as const;

const scaleOptions = [
  { value: 'plus', label: '없음' },
  { value: 'minus', label: '있음 (A-)' },
] as const;

type NotationProps = Pick<Rules, 'method' | 'scale' | 'rounding'> & {
  style: GradeNotation;
  change: ChangeWork;
};

/** How scores are rounded and grades are written. */
const NotationPart = memo(function NotationPart({ method, scale, rounding, style, change }: NotationProps) {
  const setStyle = (part: Partial<GradeNotation>) => {
    change('표기 변경', (work) => ({ ...work, style: { ...work.style, ...part } }));
  };
  return (
    <SettingGroup title="표기">
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label="소수점 처리"
          size="sm"
          options={roundingOptions}
          value={rounding}
          onChange={(next) => change('소수점 처리 변경', (work) => withRules(work, { rounding: next }))}
        />
        {method === 'pass-fail' ? (
          <SelectField
            label="불합격 표기"
            size="sm"
            options={failOptions}
            value={style.fail}
            onChange={(fail) => setStyle({ fail })}
          />
        ) : (
          <SelectField
            label="학점 표기"
            size="sm"
            options={zeroOptions}
            value={style.zero}
            onChange={(zero) => setStyle({ zero })}
          />
        )}
        {(method === 'relative' || method === 'relaxed') && (
          <SelectField
            label="− 학점"
            size="sm"
            options={scaleOptions}
            value={scale}
            onChange={(next) => change('− 학점 변경', (work) => withScale(work, next))}
          />
        )}
      </div>
    </SettingGroup>
  );
});
