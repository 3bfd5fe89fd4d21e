import { memo } from 'react';
import { bandsOf, METHODS, type Method, type Rules } from '../rules.ts';
import type { Change } from '../use-class-work.ts';
import { methodLabels } from '../labels.ts';
import { withMethod } from '../class-work.ts';
import { Part } from './rules-part.tsx';

type Props = Pick<Rules, 'method' | 'shares' | 'scale'> & { change: Change };

export const MethodPart = memo(function MethodPart({ method: chosen, shares, scale, change }: Props) {
  const sharesText = (method: Method) =>
    shares[method]
      .map((share, band) => `${bandsOf({ method, scale })[band]?.name ?? ''} ${share}%`)
      .join(', ');
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
                checked={method === chosen}
                onChange={() => change('평가 방법 바꾸기', (work) => withMethod(work, method))}
              />
              {methodLabels[method]}
            </span>
            <span className="pl-6 text-xs text-ink-soft tabular-nums">{sharesText(method)}</span>
          </label>
        ))}
      </div>
    </Part>
  );
});
