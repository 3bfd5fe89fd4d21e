import { type Excess, type Grading, namesUpTo } from './grading.ts';
import { gradeText, gradeRank, type GradeNotation } from './grades.ts';

type Props = { graded: Grading; style: GradeNotation };

/** The number of available, used, free and excess seats of each band. */
export function SeatsTable({ graded, style }: Props) {
  const { bands, counts, count, outside, excess } = graded;
  const below = [...counts]
    .filter(([grade]) => !bands.some(({ grades }) => grades.includes(grade)))
    .sort(([a], [b]) => gradeRank(a) - gradeRank(b));
  const hasMinus = bands.some(({ steps }) => steps.length > 1);
  return (
    <div>
      <h2 className="mb-2 font-bold">
        배정 인원{' '}
        <span className="font-normal text-ink-soft tabular-nums">
          ({count}명 기준{outside > 0 && `, 정원 외 ${outside}명`})
        </span>
      </h2>
      <div className="overflow-x-auto rounded-md border border-line bg-surface">
        <table className="w-full border-collapse text-right text-xs tabular-nums [&_:is(td,th)]:px-1 [&_:is(td,th)]:py-1.5">
          <caption className="sr-only">등급별 배정 인원</caption>
          <thead className="bg-sunken text-ink-soft">
            <tr className="border-b border-line-strong">
              <th scope="col" className="text-left">
                등급
              </th>
              <th scope="col">배정</th>
              <th scope="col">부여</th>
              <th scope="col">잔여</th>
              <th scope="col">{hasMinus ? '+, +와 0' : '+'} </th>
              <th scope="col">누적 / 한도</th>
            </tr>
          </thead>
          <tbody>
            {bands.map((band, index) => {
              const isLast = index === bands.length - 1;
              const over = isLast ? 0 : Math.max(0, band.usedUpTo - band.cap, band.used - band.ownCap);
              const isOver = over > 0;
              const isPlusOver = !isLast && band.steps.some(({ used, seats }) => used > seats);
              return (
                <tr key={band.name} className="border-b border-line last:border-0">
                  <th scope="row" className="text-left font-semibold">
                    {band.name === 'NP' ? gradeText('NP', style) : band.name}
                  </th>
                  <td>{band.seats}</td>
                  <td>{band.used}</td>
                  <td className={isOver ? 'font-semibold text-danger' : undefined}>
                    {isOver ? `${over} 초과` : Math.max(0, band.seats - band.used)}
                  </td>
                  <td className={isPlusOver ? 'font-semibold text-danger' : undefined}>
                    {band.steps.map(({ used, seats }) => `${used} / ${seats}`).join(', ') || '–'}
                  </td>
                  <td className={isOver ? 'font-semibold text-danger' : undefined}>
                    {isLast ? '–' : `${namesUpTo(bands, index)} ${band.usedUpTo} / ${band.cap}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-ink-soft tabular-nums empty:hidden">
        {below.map(([grade, howMany]) => (
          <span key={grade}>
            {gradeText(grade, style)} {howMany}명
          </span>
        ))}
      </p>
      <div aria-live="polite" className="mt-2 text-sm">
        {excess.length === 0 ? (
          <p className="text-ink-soft">모든 등급이 한도 안에 있습니다.</p>
        ) : (
          <div className="rounded-md bg-danger-wash px-4 py-3 text-danger">
            <p className="font-semibold">직접 정한 학점이나 컷 때문에 한도를 넘었습니다.</p>
            <ExcessList excess={excess} />
          </div>
        )}
      </div>
    </div>
  );
}

export function ExcessList({ excess }: { excess: readonly Excess[] }) {
  return (
    <ul className="tabular-nums">
      {excess.map((each) => (
        <li key={each.name}>
          {each.name}: 한도 {each.cap}명, 지금 {each.used}명 ({each.used - each.cap}명 초과)
        </li>
      ))}
    </ul>
  );
}
