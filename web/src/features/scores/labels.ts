import type { Flag } from './graded-class.ts';
import type { Excess } from './grading.ts';
import type { Field } from './mapping.ts';
import type { AttendanceMeaning, Method, Rounding } from './rules.ts';
import type { Missing } from './weighting.ts';

export const methodLabels: Record<Method, string> = {
  relative: '상대평가',
  relaxed: '완화 상대평가',
  absolute: '절대평가',
  'pass-fail': 'Pass/Fail',
};

export const fieldLabels: Record<Field, string> = {
  name: '이름',
  id: '학번',
  score: '점수',
  attendance: '출석',
  late: '지각',
  tieBreak: '동점자 기준',
};

export const meaningOptions: { value: AttendanceMeaning; label: string }[] = [
  { value: 'off', label: '적용하지 않음' },
  { value: 'absences', label: '결석 횟수' },
  { value: 'attended', label: '출석 횟수' },
  { value: 'percent', label: '출석률 (%)' },
];

export const missingOptions: { value: Missing; label: string }[] = [
  { value: 'zero', label: '0점' },
  { value: 'left-out', label: '제외하고 계산' },
  { value: 'fail', label: 'F' },
];

export const roundingOptions: { value: Rounding; label: string }[] = [
  { value: 'none', label: '그대로' },
  { value: 'down', label: '버림' },
  { value: 'half-up', label: '반올림' },
];

export const flagLabels: Record<Flag, string> = {
  tie: '동점',
  'no-score': '점수 없음',
  'missing-part': '빠진 점수',
  absent: '결석',
  'no-attendance': '출석 모름',
};

export function excessText({ name, used, cap }: Excess): string {
  return `${name}: 한도 ${cap}명, 지금 ${used}명 (${used - cap}명 초과)`;
}
