import type { UndoneChange } from '#contract/students';
import * as z from 'zod';

/*
 * An undo replays the remaining imports: it starts from the state before the first recorded import, and
 * applies each import as it listed the student, with the corrections by hand in between.
 */

const cellsSchema = z.array(z.union([z.string(), z.number()]));
type Cells = z.infer<typeof cellsSchema>;

/** Indexes of the cells changed by hand, and all cells afterwards; `to` is null for an ended enrolment. */
const correctionSchema = z.object({ to: cellsSchema.nullable(), cells: z.array(z.number()) });
type Correction = z.infer<typeof correctionSchema>;

/** One import's row about a student who still exists. */
export const recordedRowSchema = z.object({
  import_id: z.number(),
  student_id: z.string(),
  term: z.number(),
  is_same_course: z.number(),
  student_before: cellsSchema.nullable(),
  student_after: cellsSchema,
  /** Null if the import ended the enrolment. */
  student_listed: cellsSchema.nullable(),
  /** The person's data after the import, as the preview showed it. */
  student_shown: cellsSchema.nullable(),
  enrolment_before: cellsSchema.nullable(),
  enrolment_after: cellsSchema.nullable(),
  last_import_before: z.number().nullable(),
  last_term_before: z.number().nullable(),
  corrected: z
    .object({ student: correctionSchema.nullable(), enrolment: correctionSchema.nullable() })
    .nullable(),
});
type RecordedRow = z.infer<typeof recordedRowSchema>;

/** A student of the import to undo, as stored now. */
export const rosterStateSchema = z.object({
  id: z.string(),
  student: cellsSchema.nullable(),
  enrolment: cellsSchema.nullable(),
  last_import: z.number().nullable(),
  last_term: z.number().nullable(),
  has_picture: z.number(),
  is_elsewhere: z.number(),
});
type RosterState = z.infer<typeof rosterStateSchema>;

/** The result of an undo for a student: the person, or null if removed, the enrolment, and changed rows. */
export type ReplayedStudent = {
  id: string;
  student: Cells | null;
  enrolment: Cells | null;
  last_term: number | null;
  changed: RecordedRow[];
  /** Imports whose rows lose their meaning: they ended an enrolment of a student who no longer exists. */
  gone: number[];
  /** Fields that were corrected by hand after the import, and stay. */
  kept: string[];
  /** Fields whose values only the undone import listed, and that keep these values. */
  stays: string[];
  /** The change for a student who stays; undefined without a change. */
  change: UndoneChange | undefined;
};

const PERSON = ['name', 'department', 'tel', 'email'];
/** An enrolment has one more cell, the import that last wrote the enrolment; nobody corrects this cell. */
const ENROLMENT = ['no', 'year', 'type'];

/** @param rows all recorded rows of the student, in the order of the imports */
export function replayWithoutImport(
  undone: number,
  rows: readonly RecordedRow[],
  now: RosterState,
): ReplayedStudent {
  const [first] = rows;
  const term = rows.find(({ import_id }) => import_id === undone)?.term;
  if (!first || term === undefined) throw new Error('an undone import has no row');
  const listing = rows.filter((row) => row.import_id !== undone && row.student_listed !== null);
  const newestBefore = (id: number) =>
    Math.max(
      first.last_term_before ?? 0,
      ...listing.filter(({ import_id }) => import_id < id).map((row) => row.term),
    );
  const lastTerm = (recorded: number | null, id: number) =>
    recorded === term ? newestBefore(id) || null : recorded;

  const ofStudent = replay(
    rows.map((row) => ({
      id: row.import_id,
      before: row.student_before,
      after: row.student_after,
      stored: row.corrected?.student ?? null,
      make: (state) => {
        const newest = Math.max(
          newestBefore(row.import_id),
          lastTerm(row.last_term_before, row.import_id) ?? 0,
        );
        return row.student_listed
          ? merged(state, row.student_listed, row.student_shown ?? row.student_after, newest > row.term)
          : state;
      },
    })),
    now.student,
    // A student who does not exist has no enrolment that an import could end.
    ({ id, make }, state) => id === undone || (state === null && make(state) === null),
  );
  const ofEnrolment = replay(
    rows
      .filter(({ is_same_course }) => is_same_course === 1)
      .map((row) => ({
        id: row.import_id,
        before: enrolmentBefore(row),
        after: enrolled(enrolmentBefore(row), row),
        stored: row.corrected?.enrolment ?? null,
        make: (state) => enrolled(state, row),
      })),
    withImport(now.enrolment, now.last_import),
    ({ id }) => !ofStudent.places.has(id),
  );

  const enrolment = ofEnrolment.state;
  const stays = enrolment !== null || now.is_elsewhere === 1 || now.has_picture === 1;
  const student = ofStudent.state ?? (stays ? now.student : null);
  // For a student who is removed, no correction is kept.
  const kept = student && [
    ...standing(ofStudent, undone, PERSON),
    ...standing(ofEnrolment, undone, ENROLMENT),
    ...(ofStudent.state === null && enrolment === null
      ? [now.has_picture === 1 ? 'picture' : 'enrolment']
      : []),
  ];
  const undoneListed = rows.find(({ import_id }) => import_id === undone)?.student_listed;
  const isOnlyIts = (value: string | number, at: number) =>
    value !== '' &&
    value === undoneListed?.[at] &&
    value !== first.student_before?.[at] &&
    !listing.some((row) => row.student_listed?.[at] === value);
  return {
    id: now.id,
    student,
    enrolment,
    last_term: lastTerm(now.last_term, Infinity),
    kept: [...new Set(kept ?? [])],
    stays: (student ?? []).flatMap((value, at) => {
      const name = PERSON[at];
      return name !== undefined && isOnlyIts(value, at) && kept?.includes(name) !== true ? [name] : [];
    }),
    change: student ? changeOf(now, student, enrolment) : undefined,
    gone: rows.map(({ import_id }) => import_id).filter((id) => id !== undone && !ofStudent.places.has(id)),
    changed: rows.flatMap((row) => {
      const place = ofStudent.places.get(row.import_id);
      if (!place) return [];
      const last_term_before = lastTerm(row.last_term_before, row.import_id);
      const after = rewritten({ ...row, last_term_before }, place, ofEnrolment.places.get(row.import_id));
      return JSON.stringify(after) === JSON.stringify(row) ? [] : [after];
    }),
  };
}

function changeOf(now: RosterState, student: Cells, enrolment: Cells | null): UndoneChange | undefined {
  const changes = (names: readonly string[], before: Cells | null, after: Cells | null) =>
    names.flatMap((field, at) => {
      const [was, is] = [before?.[at], after?.[at]];
      return was === undefined || is === undefined || was === is ? [] : [{ field, before: was, after: is }];
    });
  const isBegun = now.enrolment === null && enrolment !== null;
  const isEnded = now.enrolment !== null && enrolment === null;
  const change = {
    id: now.id,
    name: String(student[0]),
    enrolment: isBegun ? ('begun' as const) : isEnded ? ('ended' as const) : null,
    changes: [...changes(PERSON, now.student, student), ...changes(ENROLMENT, now.enrolment, enrolment)],
  };
  return change.enrolment !== null || change.changes.length > 0 ? change : undefined;
}

/** The row as recorded without the undone import; `course` is undefined for an import of another class. */
function rewritten(row: RecordedRow, place: Place, course: Place | undefined): RecordedRow {
  const student = place.corrected;
  const enrolment = course ? course.corrected : (row.corrected?.enrolment ?? null);
  return {
    ...row,
    student_before: place.before,
    student_after: place.after ?? row.student_after,
    ...(course && {
      enrolment_before: course.before?.slice(0, ENROLMENT.length) ?? null,
      last_import_before: course.before ? Number(course.before.at(-1)) : null,
    }),
    corrected: student || enrolment ? { student, enrolment } : null,
  };
}

type Step = {
  id: number;
  before: Cells | null;
  after: Cells | null;
  /** The correction that earlier undos found after this import. */
  stored: Correction | null;
  /** Applies the import to a state. */
  make: (state: Cells | null) => Cells | null;
};
type Place = { before: Cells | null; after: Cells | null; corrected: Correction | null };
type Chain = { state: Cells | null; places: Map<number, Place>; corrections: Map<number, Correction | null> };

function replay(
  steps: readonly Step[],
  now: Cells | null,
  goes: (step: Step, state: Cells | null) => boolean,
): Chain {
  const corrections = new Map(
    steps.map(({ id, after, stored }, at) => {
      const next = steps[at + 1];
      return [id, both(stored, difference(apply(after, stored), next ? next.before : now))];
    }),
  );
  const places = new Map<number, Place>();
  let state = steps[0] ? steps[0].before : now;
  let last: Place | undefined;
  for (const step of steps) {
    const corrected = corrections.get(step.id) ?? null;
    if (goes(step, state)) {
      if (last) last.corrected = both(last.corrected, corrected);
    } else {
      last = { before: state, after: step.make(state), corrected };
      places.set(step.id, last);
      state = last.after;
    }
    state = apply(state, corrected);
  }
  return { state, places, corrections };
}

/** Names of cells that were corrected after the import and still have that value. */
function standing({ state, corrections }: Chain, undone: number, names: readonly string[]): string[] {
  return [...corrections].flatMap(([id, correction]) => {
    if (id < undone || !correction) return [];
    const { to, cells } = correction;
    if (to === null) return state === null ? ['enrolment'] : [];
    if (cells.length > names.length) return state === null ? [] : ['enrolment'];
    return cells.flatMap((at) => (state?.[at] === to[at] ? (names[at] ?? []) : []));
  });
}

function apply(state: Cells | null, correction: Correction | null): Cells | null {
  if (!correction) return state;
  const { to, cells } = correction;
  if (state === null || to === null) return to;
  return to.map((cell, at) => (cells.includes(at) ? cell : (state[at] ?? cell)));
}

/** One correction with the effect of `first`, then `second`. Null means no correction. */
function both(first: Correction | null, second: Correction | null): Correction | null {
  if (!first || !second) return first ?? second;
  const to = apply(first.to, second);
  const cells = first.to === null && to !== null ? [...to.keys()] : [...first.cells, ...second.cells];
  return { to, cells: [...new Set(cells)] };
}

function difference(from: Cells | null, to: Cells | null): Correction | null {
  if (to === null) return from === null ? null : { to, cells: [] };
  const cells = [...to.keys()].filter((at) => from?.[at] !== to[at]);
  return cells.length === 0 ? null : { to, cells };
}

/**
 * The same rule as in the comparison (roster-comparison-data.ts). As in the preview, a value that the import
 * rejected overwrites nothing. A value that an empty cell of the import kept stays after the undo.
 */
const merged = (state: Cells | null, listed: Cells, shown: Cells, isOlder: boolean): Cells =>
  listed.map((cell, at) => {
    const [known, then] = [state?.[at] ?? '', shown[at] ?? ''];
    if (cell === '') return known === '' ? then : known;
    return known !== '' && (isOlder || cell !== then) ? known : cell;
  });

const withImport = (enrolment: Cells | null, last: number | null): Cells | null =>
  enrolment && [...enrolment, last ?? 0];

const enrolmentBefore = (row: RecordedRow): Cells | null =>
  withImport(row.enrolment_before, row.last_import_before);

/** Like the trigger: an empty cell keeps the value; an unchanged enrolment belongs to the earlier import. */
function enrolled(state: Cells | null, { enrolment_after: listed, import_id }: RecordedRow): Cells | null {
  if (listed === null) return null;
  const cells = listed.map((cell, at) => (cell === 0 || cell === '' ? (state?.[at] ?? cell) : cell));
  return state && cells.every((cell, at) => cell === state[at]) ? state : [...cells, import_id];
}
