import type { Excess } from '../grading.ts';
import { excessText } from '../labels.ts';

/** The caps that are exceeded. */
export function ExcessList({ excess }: { excess: readonly Excess[] }) {
  return (
    <ul className="tabular-nums">
      {excess.map((each) => (
        <li key={each.name}>{excessText(each)}</li>
      ))}
    </ul>
  );
}
