import { memo } from 'react';
import { Select } from '../../../components/ui/select.tsx';
import type { Rules } from '../rules.ts';
import type { Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { roundingOptions } from '../labels.ts';
import { withRules } from '../class-work.ts';
import { Labelled, Part } from './rules-part.tsx';

const zeroOptions = [
  { value: 'A', label: 'A+, A' },
  { value: 'A0', label: 'A+, A0' },
] as const;
const failOptions = [
  { value: 'N', label: 'N' },
  { value: 'NP', label: 'NP' },
] as const;

type Props = Pick<Rules, 'method' | 'rounding'> & { style: Style; change: Change };

/** How scores are read and grades are written. */
export const NotationPart = memo(function NotationPart({ method, rounding, style, change }: Props) {
  const setStyle = (part: Partial<Style>) => {
    change('표기 바꾸기', (work) => ({ ...work, style: { ...work.style, ...part } }));
  };
  return (
    <Part title="표기">
      <div className="grid grid-cols-2 gap-3">
        <Labelled text="점수 처리">
          <Select
            label="점수 처리"
            size="small"
            options={roundingOptions}
            value={rounding}
            onChange={(next) => change('점수 처리 바꾸기', (work) => withRules(work, { rounding: next }))}
          />
        </Labelled>
        {method === 'pass-fail' ? (
          <Labelled text="불합격 표기">
            <Select
              label="불합격 표기"
              size="small"
              options={failOptions}
              value={style.fail}
              onChange={(fail) => setStyle({ fail })}
            />
          </Labelled>
        ) : (
          <Labelled text="학점 표기">
            <Select
              label="학점 표기"
              size="small"
              options={zeroOptions}
              value={style.zero}
              onChange={(zero) => setStyle({ zero })}
            />
          </Labelled>
        )}
      </div>
    </Part>
  );
});
