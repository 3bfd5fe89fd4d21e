import { memo } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { NumberField, SettingGroup } from '../setting-fields.tsx';
import { type ChangeWork, withMethod, withRules } from '../work.ts';
import {
  bandsOf,
  DEFAULT_RULES,
  DEFAULT_SHARES,
  type GradingMethod,
  methodLabels,
  GRADING_METHODS,
  type Rules,
} from './methods.ts';

type Props = Pick<Rules, 'method' | 'shares' | 'scale'> & { change: ChangeWork };

export const MethodPart = memo(function MethodPart({ method: chosen, shares, scale, change }: Props) {
  const sharesText = (method: GradingMethod) =>
    shares[method]
      .map((share, band) => `${bandsOf({ method, scale })[band]?.name ?? ''} ${share}%`)
      .join(', ');
  return (
    <SettingGroup title="평가 방법">
      <div className="grid grid-cols-2 gap-2">
        {GRADING_METHODS.map((method) => (
          <label
            key={method}
            className="flex min-h-12 cursor-pointer flex-col justify-center rounded-md border border-line-strong bg-surface px-2 py-1.5 leading-snug hover:border-accent has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <span className="flex items-center gap-2 font-semibold">
              <input
                type="radio"
                name="method"
                className="size-4 accent-accent outline-none"
                checked={method === chosen}
                onChange={() => change('평가 방법 변경', (work) => withMethod(work, method))}
              />
              {methodLabels[method]}
            </span>
            <span className="pl-6 text-xs text-ink-soft tabular-nums">{sharesText(method)}</span>
          </label>
        ))}
      </div>
    </SettingGroup>
  );
});

type SharesProps = Pick<Rules, 'method' | 'shares' | 'scale' | 'mostB' | 'plusShare' | 'minusShare'> & {
  change: ChangeWork;
};

/** Shares of the chosen method's bands, and the share of the + grade within each band. */
export const SharesPart = memo(function SharesPart({
  method,
  shares: all,
  scale,
  mostB,
  plusShare,
  minusShare,
  change,
}: SharesProps) {
  const shares = all[method];
  const bands = bandsOf({ method, scale });
  const sum = Math.round(shares.reduce((total, each) => total + each, 0) * 100) / 100;
  const rest = Math.max(0, Math.round((100 - sum) * 100) / 100);
  const isDefault =
    shares.every((each, band) => each === DEFAULT_SHARES[method][band]) &&
    (mostB === undefined || method !== 'relative') &&
    plusShare === DEFAULT_RULES.plusShare &&
    minusShare === DEFAULT_RULES.minusShare;
  const share = (
    label: string,
    value: number | undefined,
    rulesWith: (value: number | undefined, before: Rules) => Partial<Rules>,
    isOptional = false,
  ) => (
    <NumberField
      key={label}
      label={label}
      unit="%"
      min={0}
      max={100}
      isOptional={isOptional}
      value={value}
      onChange={(next, visit) =>
        change(
          `${label} 변경`,
          (work) => withRules(work, rulesWith(next, work.rules)),
          `share ${label} ${visit}`,
        )
      }
    />
  );
  const setDefault = () => {
    change('기본 비율로 변경', (work) =>
      withRules(work, {
        shares: { ...work.rules.shares, [method]: DEFAULT_SHARES[method] },
        mostB: undefined,
        plusShare: DEFAULT_RULES.plusShare,
        minusShare: DEFAULT_RULES.minusShare,
      }),
    );
  };
  return (
    <SettingGroup title="비율">
      <div className="grid grid-cols-3 gap-3 xl:grid-cols-2">
        {shares.map((own, band) =>
          share(`${bands[band]?.name ?? ''} 비율`, own, (next = 0, { shares: before }) => ({
            shares: { ...before, [method]: shares.map((each, at) => (at === band ? next : each)) },
          })),
        )}
        {method === 'relative' && share('B만의 한도', mostB, (next) => ({ mostB: next }), true)}
        {bands.some(({ grades }) => grades.length > 1) &&
          share('+의 비율', plusShare, (next = 0) => ({ plusShare: next }))}
        {bands.some(({ grades }) => grades.length > 2) &&
          share('−의 비율', minusShare, (next = 0) => ({ minusShare: next }))}
      </div>
      {sum > 100 ? (
        <p aria-live="polite" className="mt-2 text-sm text-danger">
          비율의 합이 {sum}%입니다. 100%를 넘는 부분에는 배정 인원이 없습니다.
        </p>
      ) : (
        <p className="mt-2 text-sm text-ink-soft tabular-nums">
          나머지 {bands.at(-1)?.name}: {rest}%
        </p>
      )}
      {!isDefault && (
        <Button variant="outline" size="sm" className="mt-2" onClick={setDefault}>
          기본 비율로
        </Button>
      )}
    </SettingGroup>
  );
});
