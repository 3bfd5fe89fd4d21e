import { Button } from '../../../components/ui/button.tsx';
import { Select } from '../../../components/ui/select.tsx';
import {
  bandsOf,
  DEFAULT_RULES,
  DEFAULT_SHARES,
  FLOOR_GRADES,
  METHODS,
  type FloorGrade,
  type Rules,
} from '../rules.ts';
import { gradeText, type Style } from '../scale.ts';
import type { Change } from '../use-work.ts';
import { methodWords, roundingOptions } from '../words.ts';
import { withMethod, withRules } from '../work.ts';
import { AttendancePanel } from './attendance-panel.tsx';
import { NumberField } from './number-field.tsx';
import { Labelled, Part } from './rules-part.tsx';

const zeroOptions = [
  { value: 'A', label: 'A+, A' },
  { value: 'A0', label: 'A+, A0' },
] as const;
const failOptions = [
  { value: 'N', label: 'N' },
  { value: 'NP', label: 'NP' },
] as const;

type Props = { rules: Rules; style: Style; hasAttendance: boolean; hasLate: boolean; change: Change };

/** How the class is graded. */
export function RulesPanel({ rules, style, hasAttendance, hasLate, change }: Props) {
  const isPassFail = rules.method === 'pass-fail';
  return (
    <div className="space-y-6">
      <MethodPart rules={rules} change={change} />
      <SharesPart rules={rules} change={change} />
      <FloorsPart rules={rules} style={style} change={change} />
      <AttendancePanel
        rule={rules.attendance}
        hasAttendance={hasAttendance}
        hasLate={hasLate}
        change={change}
      />
      <Part title="표기">
        <div className="grid grid-cols-2 gap-3">
          <Labelled text="점수 처리">
            <Select
              label="점수 처리"
              size="small"
              options={roundingOptions}
              value={rules.rounding}
              onChange={(rounding) => change('점수 처리 바꾸기', (work) => withRules(work, { rounding }))}
            />
          </Labelled>
          {isPassFail ? (
            <Labelled text="불합격 표기">
              <Select
                label="불합격 표기"
                size="small"
                options={failOptions}
                value={style.fail}
                onChange={(fail) =>
                  change('표기 바꾸기', (work) => ({ ...work, style: { ...work.style, fail } }))
                }
              />
            </Labelled>
          ) : (
            <Labelled text="학점 표기">
              <Select
                label="학점 표기"
                size="small"
                options={zeroOptions}
                value={style.zero}
                onChange={(zero) =>
                  change('표기 바꾸기', (work) => ({ ...work, style: { ...work.style, zero } }))
                }
              />
            </Labelled>
          )}
        </div>
      </Part>
    </div>
  );
}

function MethodPart({ rules, change }: { rules: Rules; change: Change }) {
  return (
    <Part title="평가 방법">
      <div className="grid grid-cols-2 gap-2">
        {METHODS.map((method) => (
          <label
            key={method}
            className="flex min-h-12 cursor-pointer flex-col justify-center rounded-md border border-line-strong bg-surface px-3 py-1.5 leading-snug hover:border-accent has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <span className="flex items-center gap-2 font-semibold">
              <input
                type="radio"
                name="method"
                className="size-4 accent-accent outline-none"
                checked={rules.method === method}
                onChange={() => change('평가 방법 바꾸기', (work) => withMethod(work, method))}
              />
              {methodWords[method]}
            </span>
            <span className="pl-6 text-xs text-ink-soft tabular-nums">{sharesText(rules, method)}</span>
          </label>
        ))}
      </div>
    </Part>
  );
}

function SharesPart({ rules, change }: { rules: Rules; change: Change }) {
  const { method } = rules;
  const shares = rules.shares[method];
  const bands = bandsOf(method);
  const sum = shares.reduce((total, share) => total + share, 0);
  const rest = Math.max(0, Math.round((100 - sum) * 100) / 100);
  const isDefault =
    shares.every((share, band) => share === DEFAULT_SHARES[method][band]) &&
    rules.plusShare === DEFAULT_RULES.plusShare;
  const setShare = (band: number, share: number, visit: number) => {
    change(
      '비율 바꾸기',
      (work) =>
        withRules(work, {
          shares: { ...work.rules.shares, [method]: shares.map((each, at) => (at === band ? share : each)) },
        }),
      `share ${band} ${visit}`,
    );
  };
  return (
    <Part title="비율">
      <div className="grid grid-cols-3 gap-x-3 gap-y-3">
        {shares.map((share, band) => (
          <NumberField
            key={bands[band]?.name}
            label={`${bands[band]?.name ?? ''} 비율`}
            unit="%"
            min={0}
            max={100}
            value={share}
            onChange={(value, visit) => setShare(band, value ?? 0, visit)}
          />
        ))}
        {bands.some(({ grades }) => grades.length === 2) && (
          <NumberField
            label="+의 비율"
            unit="%"
            min={0}
            max={100}
            value={rules.plusShare}
            onChange={(value, visit) =>
              change('+의 비율 바꾸기', (work) => withRules(work, { plusShare: value ?? 0 }), `plus ${visit}`)
            }
          />
        )}
      </div>
      {sum > 100 ? (
        <p aria-live="polite" className="mt-2 text-sm text-danger">
          비율의 합이 {sum}%입니다. 100%를 넘는 몫은 자리가 없습니다.
        </p>
      ) : (
        <p className="mt-2 text-sm text-ink-soft tabular-nums">
          나머지 {bands.at(-1)?.name}: {rest}%
        </p>
      )}
      {!isDefault && (
        <Button
          look="outline"
          size="small"
          className="mt-2"
          onClick={() =>
            change('기본 비율로 바꾸기', (work) =>
              withRules(work, {
                shares: { ...work.rules.shares, [method]: DEFAULT_SHARES[method] },
                plusShare: DEFAULT_RULES.plusShare,
              }),
            )
          }
        >
          기본 비율로
        </Button>
      )}
    </Part>
  );
}

function FloorsPart({ rules, style, change }: { rules: Rules; style: Style; change: Change }) {
  const grades: readonly FloorGrade[] = rules.method === 'pass-fail' ? ['F'] : FLOOR_GRADES;
  const setFloor = (grade: FloorGrade, at: number | undefined, visit: number) => {
    change(
      '하한 바꾸기',
      (work) => {
        const { [grade]: _, ...others } = work.rules.floors;
        return withRules(work, { floors: at === undefined ? others : { ...others, [grade]: at } });
      },
      `floor ${grade} ${visit}`,
    );
  };
  return (
    <Part title="하한" note="이 점수보다 낮으면 그 학점을 받습니다. 비워 두면 적용하지 않습니다.">
      <div className="grid grid-cols-3 gap-x-3 gap-y-3">
        {grades.map((grade) => (
          <NumberField
            key={grade}
            label={rules.method === 'pass-fail' ? gradeText('NP', style) : gradeText(grade, style)}
            unit="점"
            min={0}
            max={1000}
            isOptional
            value={rules.floors[grade]}
            onChange={(at, visit) => setFloor(grade, at, visit)}
          />
        ))}
      </div>
    </Part>
  );
}

function sharesText({ shares }: Rules, method: Rules['method']): string {
  return shares[method].map((share, band) => `${bandsOf(method)[band]?.name ?? ''} ${share}%`).join(', ');
}
