import { phoneText } from '#contract/phone';
import { rosterYearSchema, type CourseKey, type RosterRow } from '#contract/students';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { numberIn } from '../../../lib/form-problems.ts';
import { asciiText } from '../../../lib/paste-table.ts';
import { showToast, withdrawToast } from '../../../lib/toast.ts';
import type { Corrections } from './doubtful-contacts.ts';
import { previewImport, type Preview } from './import-preview.ts';
import { importRosterMutation, previewRoster } from '../queries.ts';
import { readRoster, type BadRow } from './roster-paste.ts';

/** The form's values. */
export type ImportForm = { year: string; semester: 1 | 2; subject: string; text: string };

export type Analysis = { course: CourseKey; preview: Preview; bad: BadRow[] };

type Outcome = { alert: string } | { toast: string; notes?: string[]; bad?: BadRow[] } | Analysis;

/** The requested course, or the error to show. */
function courseOf({ year, semester, subject, text }: ImportForm): CourseKey | { alert: string } {
  const name = subject.normalize('NFC').trim();
  if (year.trim() === '' || name === '' || text.trim() === '') return { alert: '데이터를 입력하세요' };
  const parsed = rosterYearSchema.safeParse(numberIn(year));
  if (!parsed.success) return { alert: '연도를 올바르게 입력하세요' };
  return { year: parsed.data, semester, subject: name };
}

/** Has the server compare the paste with what is stored. */
async function analyse(form: ImportForm): Promise<Outcome> {
  const course = courseOf(form);
  if ('alert' in course) return course;
  const read = await readRoster(form.text);
  if (read.problem === 'no-data') return { toast: '데이터 없음' };
  if (read.problem === 'too-many') return { toast: '한 번에 5,000명까지 입력할 수 있습니다' };
  if (read.problem === 'columns') return { toast: read.message, notes: read.notes };
  if (read.rows.length === 0) return { toast: '분석된 데이터 없음', bad: read.bad };
  return compare(course, read.rows, read.bad);
}

async function compare(course: CourseKey, rows: readonly RosterRow[], bad: BadRow[]): Promise<Analysis> {
  const answer = await previewRoster({ ...course, data: [...rows] });
  const badIds = new Set(bad.flatMap(({ cells }) => cells.map(asciiText)));
  return { course, preview: previewImport(rows, answer, badIds), bad };
}

/** Compares the rows with corrected contacts again. */
function corrected({ course, preview, bad }: Analysis, corrections: Corrections): Promise<Analysis> {
  const rows = preview.rows.map(({ row }) => {
    const texts = corrections.get(row.id);
    if (!texts) return row;
    const { tel = row.tel, email = row.email } = texts;
    return { ...row, tel: phoneText(asciiText(tel)), email: asciiText(email) };
  });
  return compare(course, rows, bad);
}

/** A row rejected by the server, named by its student. */
function refusedRow(error: unknown, rows: readonly RosterRow[]): string | undefined {
  if (!(error instanceof ApiError) || error.details?.row === undefined) return undefined;
  const row = rows[error.details.row - 1];
  return row && `${row.name} ${row.id}: ${error.details.message}`;
}

/** The import from the pasted text via the preview to the single request that stores it. */
export function useImport() {
  const [outcome, setOutcome] = useState<Outcome>();
  const analysis = useMutation({
    mutationFn: (form: ImportForm) => analyse(form),
    onSuccess: (answer) => {
      if ('toast' in answer) showToast(answer.toast);
      setOutcome(answer);
    },
  });
  const correction = useMutation({
    mutationFn: ({ analysis: before, corrections }: { analysis: Analysis; corrections: Corrections }) =>
      corrected(before, corrections),
    onSuccess: setOutcome,
  });
  const store = useMutation({
    ...importRosterMutation,
    onSuccess: () => setOutcome(undefined),
  });
  const forget = () => {
    if (outcome && 'toast' in outcome) withdrawToast(outcome.toast);
    setOutcome(undefined);
    store.reset();
  };
  return {
    outcome,
    forget,
    analyse: (form: ImportForm) => {
      forget();
      analysis.mutate(form);
    },
    correct: correction.mutate,
    store: store.mutate,
    isAnalysing: analysis.isPending || correction.isPending,
    isStoring: store.isPending,
    isDone: store.isSuccess,
    refused: refusedRow(store.error, store.variables?.data ?? []),
  };
}
