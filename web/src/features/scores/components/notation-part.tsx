import { memo } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import type { Rules } from '../rules.ts';
import type { Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { roundingOptions } from '../labels.ts';
import { withRules, withScale } from '../class-work.ts';
import { Part } from './rules-part.tsx';

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

type Props = Pick<Rules, 'method' | 'scale' | 'rounding'> & { style: Style; change: Change };

/** How scores are read and grades are written. */
export const NotationPart = memo(function NotationPart({ method, scale, rounding, style, change }: Props) {
  const setStyle = (part: Partial<Style>) => {
    change('표기 바꾸기', (work) => ({ ...work, style: { ...work.style, ...part } }));
  };
  return (
    <Part title="표기">
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label="점수 처리"
          size="sm"
          options={roundingOptions}
          value={rounding}
          onChange={(next) => change('점수 처리 바꾸기', (work) => withRules(work, { rounding: next }))}
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
            onChange={(next) => change('− 학점 바꾸기', (work) => withScale(work, next))}
          />
        )}
      </div>
    </Part>
  );
});
