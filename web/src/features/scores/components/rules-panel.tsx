import type { Rules } from '../rules.ts';
import type { Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { AttendancePanel } from './attendance-panel.tsx';
import { FloorsPart } from './floors-part.tsx';
import { MethodPart } from './method-part.tsx';
import { NotationPart } from './notation-part.tsx';
import { RegulationPart } from './regulation-part.tsx';
import { SharesPart } from './shares-part.tsx';

type Props = {
  rules: Rules;
  style: Style;
  /** Number of students from which the shares are computed. */
  count: number;
  hasAttendance: boolean;
  hasLate: boolean;
  change: Change;
};

/** The grading rules. Each part re-renders only when its own rules change, not while a cut-off moves. */
export function RulesPanel({ rules, style, count, hasAttendance, hasLate, change }: Props) {
  const { method, scale, shares, plusShare, minusShare, floors, attendance, rounding } = rules;
  return (
    <div className="space-y-6">
      <RegulationPart rules={rules} count={count} change={change} />
      <MethodPart method={method} shares={shares} scale={scale} change={change} />
      <SharesPart {...{ method, shares, scale, plusShare, minusShare, change }} />
      <FloorsPart method={method} scale={scale} floors={floors} style={style} change={change} />
      <AttendancePanel rule={attendance} hasAttendance={hasAttendance} hasLate={hasLate} change={change} />
      <NotationPart method={method} scale={scale} rounding={rounding} style={style} change={change} />
    </div>
  );
}
