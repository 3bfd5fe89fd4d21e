/** Reasons for grades, each as one Korean sentence. */
import { topicParticle } from '../../../lib/hangul.ts';
import type { NonStudent } from '../columns/non-students.ts';
import type { Outcome } from './grading.ts';
import { failOf, type Rules } from './rules.ts';
import { gradeAsObject, gradeText, type Style } from './scale.ts';
import type { Seating } from './seats.ts';

type Subject = {
  outcome: Outcome;
  rules: Rules;
  style: Style;
  /** As compared by the rule. */
  score: number | undefined;
  /** Content of the score cell. */
  cell: string;
};

export function reasonOf({ outcome, rules, style, score, cell }: Subject): string {
  const { grade, why } = outcome;
  if (grade === undefined || why.kind === 'excluded') return '제외한 학생이어서 학점을 매기지 않습니다.';
  const text = gradeText(grade, style);
  const gets = `${gradeAsObject(grade, style)} 받습니다.`;
  switch (why.kind) {
    case 'by-hand':
      return `담당자가 직접 ${text}${text === 'N' ? '으로' : '로'} 정했습니다.`;
    case 'no-score':
      if (cell === '') return `점수가 없어 ${gets}`;
      return `점수 칸의 값 ‘${cell}’${topicParticle(cell)} 숫자가 아니어서 ${gets}`;
    case 'missing-part':
      return `‘${why.part}’ 점수가 없어 ${gets}`;
    case 'absent': {
      const { sessions, threshold } = rules.attendance;
      return `결석 ${rounded(why.absences)}회가 전체 ${sessions}회의 ${rounded(threshold)}% 이상이어서 ${gets}`;
    }
    case 'floor': {
      const floor = gradeText(why.floor === 'F' ? failOf(rules.method) : why.floor, style);
      return `점수 ${rounded(score ?? 0)}점이 ${floor} 하한 ${rounded(why.at)}점보다 낮아 ${gets}`;
    }
    case 'cutoff':
    case 'outside': {
      const standing = why.kind === 'outside' ? '정원 외 학생으로, 점수' : '점수';
      if (why.at !== undefined) {
        return `${standing} ${rounded(score ?? 0)}점이 ${text} 기준 ${rounded(why.at)}점 이상이어서 ${gets}`;
      }
      if (!why.missed) return gets;
      return `${standing} ${rounded(score ?? 0)}점이 ${gradeText(why.missed.grade, style)} 기준 ${rounded(why.missed.at)}점보다 낮아 ${gets}`;
    }
    case 'seat':
      return `${seatReason(why, style)} ${gets}`;
    default:
      throw new Error('unexpected reason');
  }
}

/** Why a row is left out because it does not look like a student. */
export function leftOutReason(leftOut: NonStudent): string {
  if (leftOut.kind === 'nobody') return '이름도 학번도 없는 행이어서 제외했습니다.';
  return `학번이 없는 ‘${leftOut.word}’ 행이어서 제외했습니다.`;
}

function seatReason({ grade, rank, of, seats, byHand, missed, tie }: Seating, style: Style): string {
  if (tie) {
    const { size, left } = tie;
    return `동점 ${size}명이 ${gradeText(tie.grade, style)}의 남은 ${left}석을 넘어 모두`;
  }
  const standing = `${of}명 중 ${rank}등으로`;
  const among = byHand === 0 ? '' : `(직접 지정 ${byHand}석 포함)`;
  // If there are seats for everybody, the next better grade is what was missed.
  if (rank + byHand <= seats && seats < of + byHand) {
    const down = missed ? `${gradeText(grade, style)} 이상` : gradeText(grade, style);
    return `${standing} ${down} ${seats}석${among} 안에 들어`;
  }
  if (missed) return `${standing} ${gradeText(missed.grade, style)} 이상 ${missed.seats}석에 들지 못해`;
  return `${standing} 자리 ${seats}석이 모두에게 돌아가므로`;
}

/** Removes binary rounding errors. */
function rounded(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
