import { readable } from '../histogram.ts';
import type { Grade } from '../scale.ts';
import { NumberField } from './number-field.tsx';

type Props = {
  cutoffs: readonly { grade: Grade; label: string; at: number | undefined }[];
  onMove: (grade: Grade, at: number, visit: number) => void;
};

/** The cut-offs as numbers, to be read and typed. */
export function CutoffFields({ cutoffs, onMove }: Props) {
  return (
    <div className="mt-3 flex flex-wrap gap-x-4 gap-y-2">
      {cutoffs.map(({ grade, label, at }) => (
        <NumberField
          key={grade}
          label={label}
          unit="점"
          min={-1000}
          max={10_000}
          value={at}
          shownAs={readable}
          onChange={(next, visit) => {
            if (next !== undefined) onMove(grade, next, visit);
          }}
        />
      ))}
    </div>
  );
}
