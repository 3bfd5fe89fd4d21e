import { OWN_GROUP } from '#contract/plant-group';
import type { HealthDetails, HomesDetails } from '#contract/health';
import { plans } from '#contract/plan';
import { sizeText } from '#contract/size-text';
import { homeRows, moveTexts } from '../labels.ts';
import { Meter } from './meter.tsx';
import { Used } from './used.tsx';

const count = new Intl.NumberFormat('ko');

/** Several databases of plants, and the groups that are on their way between them. */
export function Homes({ homes, usage }: { homes: HomesDetails } & Pick<HealthDetails, 'usage'>) {
  const limit = usage && plans[usage.plan].size;
  return (
    <>
      {homeRows(homes, usage).map(({ name, size, note }) => {
        const label = `화분 데이터베이스 ${name} (D1)`;
        if (size === null)
          return <Meter key={name} label={label} value="알 수 없음" share={null} note={note} />;
        return <Used key={name} label={label} value={sizeText(size)} used={size} limit={limit} note={note} />;
      })}
      <Moves moves={homes.moves} />
    </>
  );
}

function Moves({ moves }: Pick<HomesDetails, 'moves'>) {
  const others = moves ? moves.count - moves.named.length : 0;
  return (
    <div className="space-y-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">다른 데이터베이스로 옮길 그룹</span>
        <span className="text-sm text-ink-soft tabular-nums">
          {moves === null ? '알 수 없음' : moves.count === 0 ? '없음' : `${count.format(moves.count)}개`}
        </span>
      </p>
      {moves !== null && moves.named.length > 0 && (
        <ul className="space-y-1 text-sm text-ink-soft tabular-nums">
          {moves.named.map(({ group, from, to, state, until }) => (
            <li key={group} className="wrap-anywhere">
              <span className="text-ink">{group === OWN_GROUP ? '기본 그룹' : group}</span> {from} → {to} ·{' '}
              {moveTexts[state](until)}
            </li>
          ))}
          {others > 0 && <li>외 {count.format(others)}개</li>}
        </ul>
      )}
    </div>
  );
}
