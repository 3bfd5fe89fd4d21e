import { memo } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import type { AttendanceRule } from '../rules.ts';
import type { Change } from '../use-class-work.ts';
import { meaningOptions } from '../labels.ts';
import { withRules } from '../class-work.ts';
import { NumberField } from './number-field.tsx';
import { Part } from './rules-part.tsx';

type Props = { rule: AttendanceRule; hasAttendance: boolean; hasLate: boolean; change: Change };

/** Too many absences mean a fail, once the user has said what the column counts. */
export const AttendancePanel = memo(function AttendancePanel({
  rule,
  hasAttendance,
  hasLate,
  change,
}: Props) {
  const set = (part: Partial<AttendanceRule>, mergeKey?: string) => {
    change(
      '출석 규칙 바꾸기',
      (work) => withRules(work, { attendance: { ...work.rules.attendance, ...part } }),
      mergeKey,
    );
  };
  if (!hasAttendance) {
    return (
      <Part title="출석 규칙">
        <p className="text-sm text-ink-soft">출석 열을 고르면 쓸 수 있습니다.</p>
      </Part>
    );
  }
  return (
    <Part title="출석 규칙" note="출석 열의 숫자가 무엇인지 골라야 적용됩니다.">
      <SelectField
        isLabelHidden
        label="출석 숫자의 뜻"
        size="sm"
        options={meaningOptions}
        value={rule.meaning}
        onChange={(meaning) => set({ meaning })}
      />
      {rule.meaning !== 'off' && (
        <div className="mt-3 grid grid-cols-3 items-end gap-x-3 gap-y-3">
          <NumberField
            label="전체 수업"
            unit="회"
            min={1}
            max={1000}
            places={0}
            value={rule.sessions}
            onChange={(value, visit) => set({ sessions: value ?? 1 }, `sessions ${visit}`)}
          />
          <NumberField
            label="결석 기준"
            unit="%"
            min={0.1}
            max={100}
            value={rule.threshold}
            onChange={(value, visit) => set({ threshold: value ?? 25 }, `threshold ${visit}`)}
          />
          {hasLate && (
            <NumberField
              label="결석이 되는 지각"
              unit="회"
              min={1}
              max={100}
              places={0}
              value={rule.latesPerAbsence}
              onChange={(value, visit) => set({ latesPerAbsence: value ?? 3 }, `late ${visit}`)}
            />
          )}
        </div>
      )}
    </Part>
  );
});
