import { memo } from 'react';
import { floorGradesOf, type FloorGrade, type Rules } from '../rules.ts';
import { gradeText, type Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { withRules } from '../class-work.ts';
import { NumberField } from './number-field.tsx';
import { Part } from './rules-part.tsx';

type Props = Pick<Rules, 'method' | 'scale' | 'floors'> & { style: Style; change: Change };

export const FloorsPart = memo(function FloorsPart({ method, scale, floors, style, change }: Props) {
  const grades = floorGradesOf({ method, scale });
  const setFloor = (grade: FloorGrade, at: number | undefined, visit: number) => {
    change(
      '하한 바꾸기',
      (work) => {
        const { [grade]: _, ...others } = work.rules.floors;
        return withRules(work, { floors: at === undefined ? others : { ...others, [grade]: at } });
      },
      `floor ${grade} ${visit}`,
    );
  };
  return (
    <Part title="하한" note="이 점수보다 낮으면 그 학점을 받습니다. 비워 두면 적용하지 않습니다.">
      <div className="grid grid-cols-3 gap-3">
        {grades.map((grade) => (
          <NumberField
            key={grade}
            label={gradeText(method === 'pass-fail' ? 'NP' : grade, style)}
            unit="점"
            min={0}
            max={1000}
            isOptional
            value={floors[grade]}
            onChange={(at, visit) => setFloor(grade, at, visit)}
          />
        ))}
      </div>
    </Part>
  );
});
