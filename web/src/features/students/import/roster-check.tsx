import type { CourseKey, RosterRow } from '#contract/students';
import { useMutation } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { CheckTable } from '../../../components/import/check-table.tsx';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import { chosenRows, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import type { GivenTable } from '../../../components/import/use-given-table.ts';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { asciiText } from '../../../lib/paste-table.ts';
import { importRosterMutation } from '../queries.ts';
import { courseName } from '../term.ts';
import { countKinds, type Preview } from './import-preview.ts';
import { MissingStudents } from './missing-students.tsx';
import { changesColumn, kindColumn } from './roster-columns.tsx';
import { rosterKind } from './roster-kind.ts';
import { isOutdated } from './store-compared.ts';
import { StoreRoster } from './store-roster.tsx';
import { useComparison } from './comparison-flow.ts';

type Props = {
  course: CourseKey;
  table: GivenTable;
  onCancel: () => void;
  onStored: () => void;
};

const nothing: Preview = new Map();

/** What an import would do, before anything is stored. */
export function RosterCheck({ course, table, onCancel, onStored }: Props) {
  const id = useId();
  const check = useCheckedTable(rosterKind, table);
  const { rows, left } = check;
  const good = useMemo(() => rows?.flatMap(({ row }) => row ?? []), [rows]);
  const chosen = useMemo(() => chosenRows({ rows, left }), [rows, left]);
  const { comparison, isComparing, hasFailed, compareAgain } = useComparison(course, good);
  const { mutateAsync: store, isPending: isStoring, error, variables } = useMutation(importRosterMutation);
  const refused = refusedRow(error, variables?.roster.data ?? []);
  const preview = comparison?.preview ?? nothing;
  const outcome = useMemo(
    () => [kindColumn(preview), ...(hasChanges(preview) ? [changesColumn(preview)] : [])],
    [preview],
  );
  const counts = useMemo(() => countKinds(preview, chosen), [preview, chosen]);
  // Of another class the same student may not be meant.
  const removalOf = (student: string) => `${Object.values(course).join(' ')} ${student}`;
  const isRemoved = (student: string) => check.extras[removalOf(student)] === true;
  // Whoever stands in a row that cannot be read yet is not missing.
  const missing = useMemo(() => {
    const bad = rows?.filter(({ row }) => row === undefined) ?? [];
    const ids = new Set(bad.map(({ cells }) => asciiText(cells.id ?? '')));
    return comparison?.answer.missing.filter((student) => !ids.has(student.id)) ?? [];
  }, [rows, comparison]);
  const doubts = rows?.reduce((sum, row) => sum + row.doubts.length, 0) ?? 0;
  return (
    <section aria-labelledby={`${id}-title`} className="mt-10">
      <h2 id={`${id}-title`} className="text-lg font-bold">
        {courseName(course)} 미리보기
      </h2>
      {rows && comparison && (
        <p aria-live="polite" className="mt-1 text-sm text-ink-soft tabular-nums">
          신규 {counts.new} · 변경 {counts.changed} · 동일 {counts.unchanged} · 명단에 없음 {missing.length} ·
          오류 {rows.length - (good?.length ?? 0)}
          {doubts > 0 && ` · 확인 ${doubts}`}
        </p>
      )}
      <ColumnChoice check={check} />
      {rows && (
        <div className="mt-4">
          {comparison && <KeptValues preview={preview} />}
          <CheckTable check={check} caption="미리보기" outcome={outcome} isStale={isStoring} />
        </div>
      )}
      {isComparing && !comparison && <LoadingPart rows={1} className="mt-4 h-11 w-40" />}
      {hasFailed && (
        <div className="mt-4">
          <FailedPart text="저장된 명단과 비교하지 못했습니다." onRetry={compareAgain} />
        </div>
      )}
      {missing.length > 0 && (
        <MissingStudents
          rows={missing}
          isRemoved={isRemoved}
          onRemove={(student, isTicked) => check.tickExtra(removalOf(student), isTicked)}
        />
      )}
      {refused !== undefined && (
        <p role="alert" className="mt-4 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {refused}
        </p>
      )}
      {isOutdated(error) && (
        <p role="alert" className="mt-4 rounded-md bg-notice-wash px-4 py-3 text-notice">
          그 사이에 명단이 바뀌어 저장하지 않았습니다. 지금의 명단과 다시 비교했으니 확인하고 한 번 더
          누르세요. 체크와 고친 내용은 그대로 있습니다.
        </p>
      )}
      {comparison && (
        <StoreRoster
          course={course}
          counts={counts}
          removed={missing.filter((student) => isRemoved(student.id)).length}
          isBusy={isStoring || isComparing}
          isStoring={isStoring}
          onStore={() => {
            const remove = missing.flatMap(({ id }) => (isRemoved(id) ? [id] : []));
            const roster = { ...course, data: chosen, remove };
            store({ roster, rows: comparison.rows, seen: comparison.answer }).then(
              onStored,
              (reason: unknown) => isOutdated(reason) && compareAgain(),
            );
          }}
          onCancel={onCancel}
        />
      )}
    </section>
  );
}

const hasChanges = (preview: Preview) =>
  preview.values().some(({ changes, kept }) => changes.length + kept.length > 0);

/** That some values stay as they are stored, and why. */
function KeptValues({ preview }: { preview: Preview }) {
  const kept = [...preview.values()].map((row) => row.kept);
  const older = kept.filter((values) => values.some(({ pasted }) => pasted !== '')).length;
  const empty = kept.filter((values) => values.some(({ pasted }) => pasted === '')).length;
  if (older + empty === 0) return null;
  return (
    <p className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
      {older > 0 && `${older}명은 더 늦은 학기의 명단이 저장되어 있어 그 값을 그대로 둡니다. `}
      {empty > 0 && `${empty}명은 빈 칸이 있어 저장된 값을 그대로 둡니다.`}
    </p>
  );
}

/** A row rejected by the server, named by its student. */
function refusedRow(error: unknown, rows: readonly RosterRow[]): string | undefined {
  if (!(error instanceof ApiError) || error.details?.row === undefined) return undefined;
  const row = rows[error.details.row - 1];
  return row && `${row.name} ${row.id}: ${error.details.message}`;
}
