import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { serverNow } from '../../../lib/server-time.ts';
import type { GradedClass } from '../graded-class.ts';
import { bandsOf, type Rules } from '../rules.ts';
import { generatedScore, gradeText, type Style } from '../scale.ts';
import { methodLabels } from '../labels.ts';
import '../print.css';

type Props = { graded: GradedClass; rules: Rules; style: Style; scoreOrigin: string };

/** The whole class on paper. Rendered only while printing, because it is not windowed. */
export function PrintSheet({ graded, rules, style, scoreOrigin }: Props) {
  const printedAt = usePrintedAt();
  if (printedAt === undefined) return null;
  const { bands, count, excess } = graded.graded;
  const hasScores = rules.method !== 'pass-fail';
  const shares = rules.shares[rules.method]
    .map((share, band) => `${bandsOf(rules.method)[band]?.name ?? ''} ${share}%`)
    .join(', ');
  return (
    <div data-score-sheet className="hidden text-sm print:block">
      <h2 className="text-lg font-bold">성적표</h2>
      <p>
        {methodLabels[rules.method]} ({shares}){rules.cutoffs && ', 컷 직접 지정'} · {count}명 ·{' '}
        {seoulDateTime(printedAt)}
      </p>
      <p>점수: {scoreOrigin}</p>
      <p>
        {bands.map(({ name, used, cap }) => `${name} ${used}명 (누적 한도 ${cap})`).join(' · ')}
        {excess.length > 0 && ' · 한도 초과'}
      </p>
      <table className="mt-3 w-full border-collapse text-left tabular-nums [&_td]:border-b [&_td]:border-line [&_td]:px-1.5 [&_td]:py-1 [&_th]:border-b [&_th]:border-ink [&_th]:px-1.5 [&_th]:py-1">
        <thead>
          <tr>
            <th>줄</th>
            <th>학번</th>
            <th>이름</th>
            <th>점수</th>
            <th>학점</th>
            {hasScores && <th>생성 점수</th>}
            <th>이유</th>
          </tr>
        </thead>
        <tbody>
          {graded.rows.map(({ row, id, name, scoreCell, grade, reason }) => (
            <tr key={row} className="break-inside-avoid">
              <td>{row + 1}</td>
              <td>{id}</td>
              <td>{name}</td>
              <td>{scoreCell}</td>
              <td>{grade && gradeText(grade, style)}</td>
              {hasScores && <td>{grade && generatedScore(grade)}</td>}
              <td className="text-xs">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** When printing began; undefined otherwise. */
function usePrintedAt(): number | undefined {
  const [printedAt, setPrintedAt] = useState<number>();
  useEffect(() => {
    // The browser prints the page as it is when this handler returns.
    const begin = () => flushSync(() => setPrintedAt(serverNow()));
    const end = () => setPrintedAt(undefined);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return printedAt;
}
