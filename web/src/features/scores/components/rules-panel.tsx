import type { Rules } from '../rules.ts';
import type { Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { AttendancePanel } from './attendance-panel.tsx';
import { FloorsPart } from './floors-part.tsx';
import { MethodPart } from './method-part.tsx';
import { NotationPart } from './notation-part.tsx';
import { SharesPart } from './shares-part.tsx';

type Props = { rules: Rules; style: Style; hasAttendance: boolean; hasLate: boolean; change: Change };

/** The grading rules. Each part re-renders only when its own rules change, not while a cut-off moves. */
export function RulesPanel({ rules, style, hasAttendance, hasLate, change }: Props) {
  const { method, shares, plusShare, floors, attendance, rounding } = rules;
  return (
    <div className="space-y-6">
      <MethodPart method={method} shares={shares} change={change} />
      <SharesPart method={method} shares={shares} plusShare={plusShare} change={change} />
      <FloorsPart method={method} floors={floors} style={style} change={change} />
      <AttendancePanel rule={attendance} hasAttendance={hasAttendance} hasLate={hasLate} change={change} />
      <NotationPart method={method} rounding={rounding} style={style} change={change} />
    </div>
  );
}
