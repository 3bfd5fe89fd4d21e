import type { RosterPreview, RosterRow } from '#contract/students';
import type { Term } from '#contract/terms';
import { fieldNames } from './roster-paste.ts';

type Change = { field: string; from: string; to: string };

/** Values that the import ignores, because the cell is empty or a newer term has another value. */
export type Kept = { field: string; pasted: string; stored: string };

/** A pasted row and what importing it would do. A known student who is new to the course is `changed`. */
export type PreviewRow = {
  row: RosterRow;
  kind: 'new' | 'changed' | 'unchanged';
  changes: Change[];
  kept: Kept[];
  /** The term whose values are kept. */
  newer: Term | null;
};

export type Preview = {
  rows: PreviewRow[];
  /** Stored enrolments that are missing from the paste. */
  missing: RosterRow[];
  counts: Record<PreviewRow['kind'], number>;
};

const ofEnrolment = ['no', 'year', 'type'] as const;
const ofPerson = ['name', 'department', 'tel', 'email'] as const;

/**
 * The server's preview in words. All decisions are the server's.
 * @param badIds ids of rows that cannot be imported; their enrolments are not missing
 */
export function previewImport(
  rows: readonly RosterRow[],
  answer: RosterPreview,
  badIds: ReadonlySet<string>,
): Preview {
  const compared = new Map(answer.rows.map((row) => [row.id, row]));
  const preview = rows.map((row): PreviewRow => {
    const outcome = compared.get(row.id);
    if (!outcome) throw new Error('a row is missing from the preview');
    const { before, after, enrolment, newer } = outcome;
    if (!before) return { row, kind: 'new', changes: [], kept: [], newer };
    const changes = ofPerson
      .filter((field) => before[field] !== after[field])
      .map((field) => ({ field: fieldNames[field], from: before[field], to: after[field] }));
    const kept = ofPerson
      .filter((field) => row[field] !== after[field])
      .map((field) => ({ field: fieldNames[field], pasted: row[field], stored: after[field] }));
    if (!enrolment) changes.unshift({ field: '수강', from: '', to: '추가' });
    for (const field of ofEnrolment) {
      if (!enrolment || row[field] === enrolment[field]) continue;
      changes.push({ field: fieldNames[field], from: String(enrolment[field]), to: String(row[field]) });
    }
    return { row, kind: changes.length > 0 ? 'changed' : 'unchanged', changes, kept, newer };
  });
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const { kind } of preview) counts[kind] += 1;
  return { rows: preview, missing: answer.missing.filter(({ id }) => !badIds.has(id)), counts };
}
