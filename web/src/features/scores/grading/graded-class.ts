/** Computes what the screen shows from the work in progress. */
import { type ClassRow, columnName, readClass } from '../columns/class-list.ts';
import { numberColumns } from '../columns/columns.ts';
import type { NonStudent } from '../columns/non-students.ts';
import { isPartLabel } from '../columns/score-candidates.ts';
import type { PastedTable } from '../../../lib/paste-table.ts';
import { fractionToNumber, readPoints, distinctTexts } from '../numbers.ts';
import {
  partsWithWeight,
  isWeightingReady,
  partName,
  weightedTotal,
  type WeightedTotal,
  withoutBrackets,
} from '../weights/weighting.ts';
import { findFullMarks } from '../weights/weighting-offer.ts';
import type { Work } from '../work.ts';
import { gradeClass, type Grading, type GradingOutcome, roundScore } from './grading.ts';
import { type Grade, gradeAsObject, gradeText, gradeRank, type GradeNotation } from './grades.ts';
import { type AttendanceRule, failGrade, manualGrades, type Rules } from './methods.ts';
import { type JudgedColumn, scoreDoubts, sumDoubts } from './score-doubts.ts';
import type { Seating } from './seats.ts';

export type Student = ClassRow & {
  /** How the score was computed, if it is a weighted total. */
  total?: WeightedTotal | undefined;
  /** The part without a score that makes the student fail. */
  missingPart?: string | undefined;
  /** The warning about the score; empty if there is none. */
  doubt: string;
};

export type GradedRow = Student & {
  grade: Grade | undefined;
  byHand: Grade | undefined;
  /** The user's reason for the grade set by hand. */
  handReason: string;
  isExcluded: boolean;
  isOutside: boolean;
  /** Why the row does not look like a student; undefined once the user includes it. */
  leftOut: NonStudent | undefined;
  /** The reason for the grade, in words. */
  reason: () => string;
  flag: GradeFlag | undefined;
};

/** What the user should check again. */
export type GradeFlag = 'doubt' | 'tie' | 'no-score' | 'missing-part' | 'absent' | 'no-attendance';

export type GradedClass = { rows: GradedRow[]; graded: Grading };

type Origin = Pick<Work, 'table' | 'mapping' | 'weighting'>;

/** Caches the students of each table, because a table and its students never change. */
const known = new WeakMap<PastedTable, Omit<Origin, 'table'> & { students: Student[] }>();

/** Caches the students that a worker has read from the table. */
export const cacheStudents = ({ table, mapping, weighting }: Origin, students: Student[]) =>
  known.set(table, { mapping, weighting, students });

/** The students of the pasted table. Reading them is slow, so each table and mapping is read only once. */
export function studentsInTable(of: Origin): Student[] {
  const last = known.get(of.table);
  if (last?.mapping === of.mapping && last.weighting === of.weighting) return last.students;
  const students = readStudents(of);
  cacheStudents(of, students);
  return students;
}

function readStudents({ table, mapping, weighting }: Origin): Student[] {
  const read = readClass(table, mapping);
  const nameOf = (column: number) => columnName(table, mapping, column);
  const columns = judgedColumns({ table, mapping, weighting });
  const lines = read.map(({ row, name, id, nonStudent }) => ({
    name,
    id,
    cells: table[row] ?? [],
    isStudent: nonStudent === undefined,
  }));
  const doubts = scoreDoubts(lines, columns);
  const [total] = weighting ? [] : columns;
  const sums = total ? sumDoubts(lines, total, partsOfTotal({ table, mapping })) : [];
  const students = read.map((student, at): Student => {
    return Object.assign(student, {
      doubt: [student.remark, doubts[at], sums[at]].filter(Boolean).join(' '),
    });
  });
  if (!weighting || !isWeightingReady(weighting)) {
    const { score: column } = mapping.columns;
    const full = columns[0]?.full;
    if (column === undefined || full === undefined) return students;
    for (const student of students) {
      const points = readPoints(table[student.row]?.[column] ?? '', full);
      student.score = points === undefined ? undefined : Number(points);
    }
    return students;
  }
  const totals = students.map(({ row }) => weightedTotal(table[row] ?? [], weighting));
  const texts = distinctTexts(totals.flatMap(({ total }) => total ?? [])).values();
  return students.map((student, index) => {
    const total = totals[index];
    return Object.assign(student, {
      total,
      missingPart: total?.failedBy && partName(total.failedBy, nameOf),
      score: total?.total && fractionToNumber(total.total),
      scoreCell: total?.total ? (texts.next().value ?? '') : '',
    });
  });
}

/** The columns of the score, with their full marks. */
function judgedColumns({ table, mapping, weighting }: Origin): JudgedColumn[] {
  const named = ({ column, full }: Omit<JudgedColumn, 'name'>) => ({
    column,
    full,
    name: withoutBrackets(columnName(table, mapping, column)),
  });
  if (weighting) return partsWithWeight(weighting).flatMap(({ columns }) => columns.map(named));
  const { score: column } = mapping.columns;
  return column === undefined ? [] : [named({ column, full: findFullMarks(table, mapping)(column) })];
}

/** The columns that may be the parts of a total: all numbers, without attendance, or those with a part's label. */
function partsOfTotal({ table, mapping }: Omit<Origin, 'weighting'>): JudgedColumn[][] {
  const { score, attendance, late } = mapping.columns;
  const fullOf = findFullMarks(table, mapping);
  const all = numberColumns(table, mapping).flatMap(({ column }) =>
    column === score ? [] : { column, full: fullOf(column), name: columnName(table, mapping, column) },
  );
  return [
    all,
    all.filter(({ column }) => column !== attendance && column !== late),
    all.filter(({ name }) => isPartLabel(name)),
  ].map((parts) => parts.map((part) => ({ ...part, name: withoutBrackets(part.name) })));
}

/** Whether the cell of attendance may be a fraction: `0.95` may mean 95 %. */
export function mayBeFraction({ attendance, attendanceCell }: ClassRow): boolean {
  return attendance !== undefined && attendance > 0 && attendance <= 1 && !/[%％]/.test(attendanceCell);
}

/** A possible fraction stays undefined until the user answers, because misread it could fail a student. */
function attendanceOf(student: ClassRow, { meaning, areFractions }: AttendanceRule): number | undefined {
  const { attendance } = student;
  if (meaning !== 'percent' || attendance === undefined || !mayBeFraction(student)) return attendance;
  if (areFractions === undefined) return undefined;
  return areFractions ? attendance * 100 : attendance;
}

export function gradeStudents(
  students: readonly Student[],
  work: Pick<Work, 'rules' | 'style' | 'byRow'>,
): GradedClass {
  const { rules, style, byRow } = work;
  const allowed = new Set(manualGrades(rules));
  const leftOutOf = ({ row, nonStudent }: Student) =>
    byRow[row]?.isExcluded === false ? undefined : nonStudent;
  const entries = students.map((student) => {
    const { row, score, tieBreak, late, missingPart } = student;
    const { grade, isExcluded = false, isOutside = false } = byRow[row] ?? {};
    return {
      score,
      tieBreak,
      attendance: attendanceOf(student, rules.attendance),
      late,
      isExcluded: isExcluded || leftOutOf(student) !== undefined,
      isOutside,
      missingPart,
      byHand: grade !== undefined && allowed.has(grade) ? grade : undefined,
    };
  });
  const graded = gradeClass(entries, rules);
  const rows = students.map((student, index): GradedRow => {
    const { isExcluded = false, isOutside = false, byHand } = entries[index] ?? {};
    const { handReason = '' } = byRow[student.row] ?? {};
    const outcome = graded.outcomes[index] ?? { grade: undefined, why: { kind: 'excluded' } };
    const leftOut = leftOutOf(student);
    const score = student.score === undefined ? undefined : roundScore(student.score, rules.rounding);
    return {
      ...student,
      grade: outcome.grade,
      byHand,
      handReason,
      isExcluded,
      isOutside,
      leftOut,
      // Only visible rows compute their reason, because moving a cut-off grades the whole class again.
      reason: () =>
        leftOut
          ? leftOutReason(leftOut)
          : reasonOf({ outcome, rules, style, score, cell: student.scoreCell, handReason }),
      flag: flagOf(outcome, student, work),
    };
  });
  return { rows, graded };
}

function flagOf(
  { why }: GradingOutcome,
  student: Student,
  { rules }: Pick<Work, 'rules'>,
): GradeFlag | undefined {
  if (student.doubt !== '' && why.kind !== 'excluded' && why.kind !== 'no-score') return 'doubt';
  if (why.kind === 'seat' && why.tie) return 'tie';
  if (why.kind === 'no-score') return 'no-score';
  if (why.kind === 'missing-part') return 'missing-part';
  if (why.kind === 'absent') return 'absent';
  const isUnread =
    rules.attendance.meaning !== 'off' && attendanceOf(student, rules.attendance) === undefined;
  if (why.kind === 'excluded') return undefined;
  if (student.total?.parts.some(({ isMissing }) => isMissing) === true) return 'missing-part';
  return isUnread ? 'no-attendance' : undefined;
}

export type GradeChange = {
  row: number;
  /** The student's name, or the id if there is no name. */
  who: string;
  from: Grade | undefined;
  to: Grade | undefined;
  isBetter: boolean;
};

/** The changes in the order of the table; empty if the classes have different rows. */
export function gradeChanges(before: GradedClass, now: GradedClass): GradeChange[] {
  if (before.rows.length !== now.rows.length) return [];
  return now.rows.flatMap(({ row, name, id, grade }, index): GradeChange[] => {
    const then = before.rows[index];
    if (!then || then.row !== row || then.grade === grade) return [];
    return [
      {
        row,
        who: name || id || `${row + 1}행`,
        from: then.grade,
        to: grade,
        isBetter: rank(grade) < rank(then.grade),
      },
    ];
  });
}

/** The grade's rank; a missing grade is last. */
function rank(grade: Grade | undefined): number {
  return grade === undefined ? Infinity : gradeRank(grade);
}

type Subject = {
  outcome: GradingOutcome;
  rules: Rules;
  style: GradeNotation;
  /** The score as the grading rule compares it, after the rounding that the user has chosen. */
  score: number | undefined;
  /** Content of the score cell. */
  cell: string;
  handReason: string;
};

function reasonOf({ outcome, rules, style, score = 0, cell, handReason }: Subject): string {
  const { grade, why } = outcome;
  if (grade === undefined || why.kind === 'excluded') return '제외한 학생이어서 학점을 매기지 않습니다.';
  const text = gradeText(grade, style);
  const gets = `${gradeAsObject(grade, style)} 받습니다.`;
  switch (why.kind) {
    case 'by-hand':
      return `담당자가 직접 ${text}${text === 'N' ? '으로' : '로'} 정했습니다. ${handReason.trim() === '' ? '사유를 적지 않았습니다.' : `사유: ${handReason.trim()}`}`;
    case 'no-score':
      if (cell === '') return `점수가 없어 ${gets}`;
      return `점수 칸이 숫자가 아니어서(‘${cell}’) ${gets}`;
    case 'missing-part':
      return `‘${why.part}’ 점수가 없어 ${gets}`;
    case 'absent': {
      const { sessions, threshold } = rules.attendance;
      return `결석 ${rounded(why.absences)}회가 전체 ${sessions}회의 ${rounded(threshold)}% 이상이어서 ${gets}`;
    }
    case 'floor': {
      const floor = gradeText(why.floor === 'F' ? failGrade(rules.method) : why.floor, style);
      const [own, at] = apart(score, why.at);
      return `점수 ${own}점이 ${floor} 최저 점수 기준 ${at}점보다 낮아 ${gets}`;
    }
    case 'cutoff':
    case 'outside': {
      const standing = why.kind === 'outside' ? '정원 외 학생으로, 점수' : '점수';
      if (why.at !== undefined) {
        const [own, at] = apart(score, why.at);
        return `${standing} ${own}점이 ${text} 기준 ${at}점 이상이어서 ${gets}`;
      }
      if (!why.missed) return gets;
      const [own, at] = apart(score, why.missed.at);
      return `${standing} ${own}점이 ${gradeText(why.missed.grade, style)} 기준 ${at}점보다 낮아 ${gets}`;
    }
    case 'seat':
      return `${seatReason(why, style)} ${gets}`;
    default:
      throw new Error('unexpected reason');
  }
}

/** The reason why a row does not look like a student. */
function leftOutReason(leftOut: NonStudent): string {
  if (leftOut.kind === 'gone') return `표에 ‘${leftOut.word}’ 표시가 있어 제외했습니다.`;
  if (leftOut.kind === 'below other header')
    return '다른 머리글 아래의 행이어서 제외했습니다. 따로 붙여넣으세요.';
  if (leftOut.kind === 'nobody') return '이름도 학번도 없는 행이어서 제외했습니다.';
  return `학번이 없는 ‘${leftOut.word}’ 행이어서 제외했습니다.`;
}

function seatReason({ grade, rank, of, seats, byHand, missed, tie }: Seating, style: GradeNotation): string {
  if (tie) {
    const { size, left } = tie;
    return `동점 ${size}명이 ${gradeText(tie.grade, style)} 잔여 인원 ${left}명을 초과하여 모두`;
  }
  const standing = `${of}명 중 ${rank}등으로`;
  const among = byHand === 0 ? '' : `, 직접 지정 ${byHand}명 포함`;
  // If everyone has a seat, the reason is that the student missed the next better grade.
  if (rank + byHand <= seats && seats < of + byHand) {
    const down = missed ? `${gradeText(grade, style)} 이상` : gradeText(grade, style);
    return `${standing} 상위 ${seats}명(${down}${among})에 해당하여`;
  }
  if (missed) return `${standing} 상위 ${missed.seats}명(${gradeText(missed.grade, style)} 이상)에 들지 못해`;
  return `${standing} 배정 인원 ${seats}명에 모두 포함되어`;
}

/** A score and a limit as text, with all digits if different values would look equal after rounding. */
function apart(score: number, at: number): [string, string] {
  const [own, bound] = [rounded(score), rounded(at)];
  return own === bound && score !== at ? [String(score), String(at)] : [own, bound];
}

/** Removes binary rounding errors. */
function rounded(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
