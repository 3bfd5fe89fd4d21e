import { memo } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { SettingGroup } from '../setting-fields.tsx';
import type { ChangeWork } from '../work.ts';
import {
  isAsRegulated,
  isForSize,
  courseKindForSize,
  regulatedRules,
  regulationOf,
  unregulatedRules,
} from './regulated.ts';
import { type CourseKind, REGULATIONS } from './university-regulations.ts';
import type { Rules } from './methods.ts';

const NONE = '';

type Props = { rules: Rules; count: number; change: ChangeWork };

/** Chooses a university's published rules by name. */
export const RegulationPart = memo(
  function RegulationPart({ rules, count, change }: Props) {
    const regulation = regulationOf(rules);
    const kind = rules.regulation?.kind ?? 0;
    const chosen = regulation?.kinds[kind];
    const apply = (id: string, place?: number) => {
      const found = REGULATIONS.find((each) => each.id === id);
      change('규정 선택', (work) => ({
        ...work,
        rules: found
          ? regulatedRules(work.rules, found, place ?? courseKindForSize(found, count))
          : unregulatedRules(work.rules),
      }));
    };
    return (
      <SettingGroup title="학교 규정">
        <div className="space-y-3">
          <SelectField
            isLabelHidden
            label="학교 규정"
            size="sm"
            options={[
              { value: NONE, label: '직접 정함' },
              ...REGULATIONS.map(({ id, university }) => ({ value: id, label: university })),
            ]}
            value={regulation?.id ?? NONE}
            onChange={(id) => apply(id)}
          />
          {regulation && (
            <>
              <SelectField
                label="강의 구분"
                size="sm"
                options={regulation.kinds.map((each, value) => ({ value, label: each.name }))}
                value={kind}
                onChange={(place) => apply(regulation.id, place)}
              />
              <p className="text-sm text-ink-soft">
                {chosen && capsText(chosen)} 출처:{' '}
                <a href={regulation.source.url} target="_blank" rel="noreferrer" className="underline">
                  {regulation.source.note ?? regulation.university} <span className="text-sm">(새 창)</span>
                </a>{' '}
                ({regulation.source.date}, {regulation.since}). 지금 시행하는 규정과 같은지 확인하세요.
              </p>
              {chosen && !isForSize(chosen, count) && (
                <p className="text-sm text-notice">수강 인원이 {count}명인 강의에는 맞지 않는 구분입니다.</p>
              )}
              {regulation.outside.length > 0 && (
                <p className="text-sm text-ink-soft">
                  {regulation.outside.join(', ')}은 인원에서 제외합니다. 학점표에서 ‘정원 외’를 선택하세요.
                </p>
              )}
              {!isAsRegulated(rules) && (
                <div>
                  <p className="text-sm text-notice">규정과 다르게 바꾼 항목이 있습니다.</p>
                  <Button
                    variant="outline"
                    size="sm"
                    className="mt-1"
                    onClick={() => apply(regulation.id, kind)}
                  >
                    규정대로
                  </Button>
                </div>
              )}
            </>
          )}
        </div>
      </SettingGroup>
    );
  },
  // The part is not rendered again while a cut-off moves.
  (one, other) =>
    one.change === other.change &&
    one.count === other.count &&
    (['regulation', 'shares', 'scale', 'method', 'mostB', 'plusShare', 'isUncapped'] as const).every(
      (each) => one.rules[each] === other.rules[each],
    ) &&
    (one.rules.cutoffs === undefined) === (other.rules.cutoffs === undefined),
);

function capsText({ caps }: CourseKind): string {
  if (caps === 'absolute') return '비율 없이 점수로 매깁니다.';
  const upToB = caps.upToB === undefined ? '' : `, B까지 ${caps.upToB}%`;
  const alone = caps.b === undefined ? '' : `, B만 ${caps.b}%`;
  return `A ${caps.a}%${upToB}${alone} 이내입니다.`;
}
