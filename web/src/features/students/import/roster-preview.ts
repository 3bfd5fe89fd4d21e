import { IF_MATCH_HEADER, type RosterPreview, type RosterRow } from '#contract/students';
import type { Term } from '#contract/terms';
import { ApiError } from '../../../lib/api-error.ts';
import { rosterFieldLabel } from './roster-kind.ts';

/** `isTyped`: the replaced value had been corrected by hand. */
type Change = { field: string; from: string; to: string; isTyped?: boolean };

/** A pasted value that the import ignores, because the cell is empty or a newer term has another value. */
export type PreservedValue = { field: string; pasted: string; stored: string };

/** What importing a row would do. A known student who is new to the course is `changed`. */
export type PreviewRow = {
  kind: 'new' | 'changed' | 'unchanged';
  changes: Change[];
  kept: PreservedValue[];
  /** The newer term whose values stay. */
  newer: Term | null;
};

/** The server's answer for each row, by student number. */
export type PreviewedRows = ReadonlyMap<string, PreviewRow>;

const ofEnrolment = ['no', 'year', 'type'] as const;
const ofPerson = ['name', 'department', 'tel', 'email'] as const;

/** Converts the server's preview for the screen. The server makes all decisions. */
export function previewImport(
  rows: readonly RosterRow[],
  answer: Pick<RosterPreview, 'rows'>,
): PreviewedRows {
  const compared = new Map(answer.rows.map((row) => [row.id, row]));
  return new Map(rows.map((row) => [row.id, previewRow(row, compared.get(row.id))]));
}

function previewRow(row: RosterRow, outcome: RosterPreview['rows'][number] | undefined): PreviewRow {
  if (!outcome) throw new Error('a row is missing from the preview');
  const { before, after, enrolment, by_hand: byHand, dropped, newer } = outcome;
  if (!before) return { kind: 'new', changes: [], kept: [], newer };
  const changes = ofPerson
    .filter((field) => before[field] !== after[field])
    .map((field): Change => {
      const [from, to] = [before[field], after[field]];
      return { field: rosterFieldLabel(field), from, to, isTyped: byHand.includes(field) };
    });
  const kept: PreservedValue[] = ofPerson
    .filter((field) => row[field] !== after[field])
    .map((field) => ({ field: rosterFieldLabel(field), pasted: row[field], stored: after[field] }));
  if (!enrolment) changes.unshift({ field: '수강', from: dropped ? '삭제' : '', to: '추가' });
  for (const field of ofEnrolment) {
    if (!enrolment || row[field] === enrolment[field]) continue;
    const [label, stored] = [rosterFieldLabel(field), String(enrolment[field])];
    if (row[field] === 0 || row[field] === '') kept.push({ field: label, pasted: '', stored });
    else changes.push({ field: label, from: stored, to: String(row[field]) });
  }
  return { kind: changes.length > 0 ? 'changed' : 'unchanged', changes, kept, newer };
}

export function countRowKinds(
  preview: PreviewedRows,
  rows: readonly RosterRow[],
): Record<PreviewRow['kind'], number> {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  for (const { id } of rows) {
    const kind = preview.get(id)?.kind;
    if (kind) counts[kind] += 1;
  }
  return counts;
}

const TRIES = 3;

/**
 * Stores the previewed rows. If the roster has changed after the preview, compares the rows again, because an
 * unrelated change, such as a new picture, does not affect the preview.
 * @throws the server's 409 if the preview has become wrong; then nothing is stored
 */
export async function storeUnlessChanged(
  { version, ...shown }: RosterPreview,
  store: (version: string) => Promise<unknown>,
  compare: () => Promise<RosterPreview>,
): Promise<void> {
  let seen = version;
  for (let left = TRIES - 1; ; left--) {
    try {
      await store(seen);
      return;
    } catch (error) {
      if (!isPreviewOutdated(error) || left === 0) throw error;
      const { version: newest, ...now } = await compare();
      if (JSON.stringify(now) !== JSON.stringify(shown)) throw error;
      seen = newest;
    }
  }
}

/** Whether the server refused because the roster has changed since the comparison. */
export const isPreviewOutdated = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.details?.field === IF_MATCH_HEADER;
