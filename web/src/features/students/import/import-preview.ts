import type { RosterPreview, RosterRow } from '#contract/students';
import type { Term } from '#contract/terms';
import { fieldName } from './roster-kind.ts';

type Change = { field: string; from: string; to: string };

/** Values that the import ignores, because the cell is empty or a newer term has another value. */
export type Kept = { field: string; pasted: string; stored: string };

/** What importing a row would do. A known student who is new to the course is `changed`. */
export type PreviewRow = {
  kind: 'new' | 'changed' | 'unchanged';
  changes: Change[];
  kept: Kept[];
  /** The term whose values are kept. */
  newer: Term | null;
};

/** What the server says of each row, by student. */
export type Preview = ReadonlyMap<string, PreviewRow>;

const ofEnrolment = ['no', 'year', 'type'] as const;
const ofPerson = ['name', 'department', 'tel', 'email'] as const;

/** The server's preview in words. All decisions are the server's. */
export function previewImport(rows: readonly RosterRow[], answer: Pick<RosterPreview, 'rows'>): Preview {
  const compared = new Map(answer.rows.map((row) => [row.id, row]));
  return new Map(rows.map((row) => [row.id, previewRow(row, compared.get(row.id))]));
}

function previewRow(row: RosterRow, outcome: RosterPreview['rows'][number] | undefined): PreviewRow {
  if (!outcome) throw new Error('a row is missing from the preview');
  const { before, after, enrolment, newer } = outcome;
  if (!before) return { kind: 'new', changes: [], kept: [], newer };
  const changes = ofPerson
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field: fieldName(field), from: before[field], to: after[field] }));
  const kept = ofPerson
    .filter((field) => row[field] !== after[field])
    .map((field) => ({ field: fieldName(field), pasted: row[field], stored: after[field] }));
  if (!enrolment) changes.unshift({ field: '수강', from: '', to: '추가' });
  for (const field of ofEnrolment) {
    if (!enrolment || row[field] === enrolment[field]) continue;
    changes.push({ field: fieldName(field), from: String(enrolment[field]), to: String(row[field]) });
  }
  return { kind: changes.length > 0 ? 'changed' : 'unchanged', changes, kept, newer };
}

/** How many of some rows are of each kind. */
export function countKinds(preview: Preview, rows: readonly RosterRow[]): Record<PreviewRow['kind'], number> {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const { id } of rows) {
    const kind = preview.get(id)?.kind;
    if (kind) counts[kind] += 1;
  }
  return counts;
}
