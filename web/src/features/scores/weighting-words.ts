/** A weighted total in words: its rule, and how one student's came about. */
import { textOf } from './fraction.ts';
import {
  activeParts,
  type Deduction,
  type Part,
  type PartTotal,
  type Weighting,
  type WeightedTotal,
} from './weighting.ts';

/** Names of the table's columns. */
export type NameOf = (column: number) => string;

/** `중간`, of a column headed `중간(40점)`; `퀴즈`, of `퀴즈1` to `퀴즈5`. */
export function partName({ columns }: Pick<Part, 'columns'>, nameOf: NameOf): string {
  const names = columns.map(({ column }) => withoutBrackets(nameOf(column)));
  const [first = ''] = names;
  if (names.length === 1) return first;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length).replace(/[\s\d_#-]+$/, '') || names.join('·');
}

/** `중간 40% + 기말 60% − 지각 1회당 0.5점` */
export function weightingText(weighting: Weighting, nameOf: NameOf): string {
  const parts = activeParts(weighting).map((part) => {
    const { columns, best, weight = 0 } = part;
    const which = columns.length > 1 && best < columns.length ? ` 상위 ${best}개` : '';
    return `${partName(part, nameOf)}${which} ${weight}%`;
  });
  const deductions = weighting.deductions.map(
    ({ column, points }) => ` − ${withoutBrackets(nameOf(column))} 1회당 ${points}점`,
  );
  return parts.join(' + ') + deductions.join('');
}

/** `중간 32/40 × 40% + 기말 45/50 × 60%` */
export function totalText({ parts, deductions, weight, allWeight }: WeightedTotal, nameOf: NameOf): string {
  const sum = parts
    .flatMap((each) => (each.counted.length === 0 ? [] : [termText(each, nameOf)]))
    .join(' + ');
  const leftOut = parts.filter(({ counted }) => counted.length === 0);
  const scaled =
    leftOut.length === 0
      ? sum
      : `(${sum}) × ${textOf(allWeight)}/${textOf(weight)}, ${leftOut.map(({ part }) => partName(part, nameOf)).join('·')} 제외`;
  return scaled + deductions.map((each) => deductionText(each, nameOf)).join('');
}

function termText({ part, counted }: PartTotal, nameOf: NameOf): string {
  const scores = counted.map(({ score, full }) => `${score ?? '없음'}/${full}`);
  const value = scores.length > 1 ? `(${scores.join(' + ')})/${scores.length}` : scores.join('');
  return `${partName(part, nameOf)} ${value} × ${part.weight ?? 0}%`;
}

function deductionText(
  { deduction, count, points }: WeightedTotal['deductions'][number],
  nameOf: NameOf,
): string {
  return ` − ${withoutBrackets(nameOf(deduction.column))} ${timesText(count, deduction)}${textOf(points)}점`;
}

function timesText(count: WeightedTotal['deductions'][number]['count'], { free }: Deduction): string {
  return free > 0 ? `${textOf(count)}회(${free}회 넘은 것) ` : `${textOf(count)}회 `;
}

/** `중간` of `중간(40점)` and `중간/40`. */
export function withoutBrackets(name: string): string {
  return name.replace(/\s*[([/].*$/, '') || name;
}
