import type { ClassKey, RosterPreview, RosterRow } from '#contract/students';
import { hasTermBegun, currentTerm, termText, type Term } from '#contract/terms';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import type { CheckedRow } from '../../../components/import/import-kind.ts';
import { CheckTable, ImportFoot } from '../../../components/import/check-table.tsx';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import { MismatchQuestion } from '../../../components/import/mismatch-question.tsx';
import { chosenRows, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import type { InputTable } from '../../../components/import/use-table-input.ts';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { courseName } from '../../../lib/chosen-class.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { compareRosterMutation, importRosterMutation } from '../queries.ts';
import { isDifferentClass, classNamedByFile, rosterOverlap, rosterFileTitles } from './other-class.ts';
import { changesColumn, rowKindColumn } from './roster-columns.tsx';
import { missingListNumbers } from './odd-rows.ts';
import { firstRosterColumns, rosterFieldLabel, rosterKind, type RosterField } from './roster-kind.ts';
import { countRowKinds, isPreviewOutdated, type PreviewedRows, type PreviewRow } from './roster-preview.ts';
import {
  type AbsentStudent,
  isEnrolledAgain,
  replacesCorrection,
  replacesContactByInvalid,
  useRosterWarnings,
} from './same-student.ts';

type Props = {
  course: ClassKey;
  table: InputTable;
  /** The subjects of all classes. */
  subjects: readonly string[];
  onOtherClass: (course: ClassKey) => void;
  onCancel: () => void;
  /** @param count how many students are added or changed */
  onStored: (count: number) => void;
};

const nothing: PreviewedRows = new Map();

/** Shows what an import would do, before anything is stored. */
export function RosterCheck({ course, table, subjects, onOtherClass, onCancel, onStored }: Props) {
  const id = useId();
  const first = useMemo(() => firstRosterColumns(table.rows), [table.rows]);
  const checked = useCheckedTable(rosterKind, table, first);
  const { rows: read } = checked;
  const good = useMemo(() => read?.flatMap(({ row }) => row ?? []), [read]);
  const { comparison, isComparing, hasFailed, compareAgain } = useComparison(course, good);
  const check = useRosterWarnings(checked, comparison, course, table.name === '');
  const { rows, left, absent } = check;
  const chosen = useMemo(() => chosenRows({ rows, left }), [rows, left]);
  const { mutateAsync: store, isPending: isStoring, error, variables } = useMutation(importRosterMutation);
  const refused = refusedRow(error, variables?.roster.data ?? []);
  const preview = comparison?.preview ?? nothing;
  const outcome = useMemo(
    () => [rowKindColumn(preview), ...(hasChanges(preview) ? [changesColumn(preview)] : [])],
    [preview],
  );
  const counts = useMemo(() => countRowKinds(preview, chosen), [preview, chosen]);
  // The class is part of the key: a tick for one class must not end an enrolment in another.
  const removalOf = (student: string) => `${Object.values(course).join(' ')} ${student}`;
  const isRemoved = (student: string) => check.extras[removalOf(student)] === true;
  const said = useMemo(
    () => classNamedByFile(course, rosterFileTitles(table), subjects),
    [course, table, subjects],
  );
  const overlap = comparison && rosterOverlap(comparison.answer);
  const isAsked = overlap !== undefined && (said !== undefined || isDifferentClass(overlap));
  const sure = `class ${Object.values(course).join(' ')}`;
  const isSure = check.extras[sure] === true;
  const doubts = rows?.filter((row) => row.doubts.length > 0).length ?? 0;
  return (
    <section aria-labelledby={`${id}-title`} className="mt-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={`${id}-title`} className="text-lg font-bold">
          {courseName(course)} 미리보기
        </h2>
        {rows && comparison && (
          <p aria-live="polite" className="text-sm text-ink-soft tabular-nums">
            신규 {counts.new} · 변경 {counts.changed} · 동일 {counts.unchanged} · 명단에 없음{' '}
            {absent.filter(({ word }) => word === undefined).length} · 오류{' '}
            {rows.length - (good?.length ?? 0)}
            {good && good.length > chosen.length && ` · 체크하지 않음 ${good.length - chosen.length}`}
            {doubts > 0 && ` · 확인 ${doubts}`}
          </p>
        )}
      </div>
      <ColumnChoice check={check} />
      {isAsked && (
        <MismatchQuestion
          question={`${courseName(course)} 명단이 맞습니까?`}
          reasons={[
            ...(said ? [`명단에 적힌 강의: ${courseName(said)}`] : []),
            `명단의 ${overlap.listed}명 중 ${overlap.added}명은 이 강의에 없고, 이 강의의 ${overlap.enrolled}명 중 ${overlap.missing}명은 명단에 없습니다.`,
          ]}
          answer={`${courseName(course)} 명단이 맞습니다`}
          isSure={isSure}
          onSure={(isTicked) => check.tickExtra(sure, isTicked)}
          other={said && { label: `${courseName(said)} 명단으로 변경`, onChoose: () => onOtherClass(said) }}
        />
      )}
      {read && (
        <div className="mt-2">
          {comparison && <KeptValues preview={preview} rows={read} />}
          <CheckTable check={check} caption="미리보기" outcome={outcome} isStale={isStoring} />
        </div>
      )}
      {isComparing && !comparison && <LoadingPart rows={1} className="mt-4 h-11 w-40" />}
      {hasFailed && (
        <div className="mt-4">
          <FailedPart text="저장된 명단과 비교하지 못했습니다." onRetry={compareAgain} />
        </div>
      )}
      {absent.length > 0 && (
        <AbsentStudents
          students={absent}
          isRemoved={isRemoved}
          onRemove={(student, isTicked) => check.tickExtra(removalOf(student), isTicked)}
        />
      )}
      {refused !== undefined && (
        <p role="alert" className="mt-4 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {refused}
        </p>
      )}
      {isPreviewOutdated(error) && (
        <p role="alert" className="mt-4 rounded-md bg-notice-wash px-4 py-3 text-notice">
          그 사이에 명단이 바뀌어 저장하지 않았습니다. 지금의 명단과 다시 비교했으니 확인하고 한 번 더
          누르세요. 체크와 고친 내용은 그대로 있습니다.
        </p>
      )}
      {comparison && (
        <StoreRoster
          course={course}
          counts={counts}
          removed={absent.filter((student) => isRemoved(student.id)).length}
          isBusy={isStoring || isComparing}
          isHeld={isAsked && !isSure}
          isStoring={isStoring}
          onStore={() => {
            const remove = absent.flatMap(({ id }) => (isRemoved(id) ? [id] : []));
            const roster = { ...course, data: chosen, remove };
            store({ roster, rows: comparison.rows, seen: comparison.answer }).then(
              () => onStored(counts.new + counts.changed),
              (reason: unknown) => isPreviewOutdated(reason) && compareAgain(),
            );
          }}
          onCancel={onCancel}
        />
      )}
    </section>
  );
}

const hasChanges = (preview: PreviewedRows) =>
  [...preview.values()].some(({ changes, kept }) => changes.length + kept.length > 0);

const GAPS_NAMED = 10;

type KeptProps = { preview: PreviewedRows; rows: readonly CheckedRow<RosterField, RosterRow>[] };

/** Explains which stored values stay and which rows are not ticked at first. */
function KeptValues({ preview, rows }: KeptProps) {
  const typed = [...preview.values()].filter(replacesCorrection);
  const again = [...preview.values()].filter(isEnrolledAgain).length;
  const spoiled = rows.filter(({ row, doubts }) => {
    const outcome = row && preview.get(row.id);
    return outcome !== undefined && replacesContactByInvalid(outcome, doubts);
  }).length;
  const isNew = typed.some(({ changes }) => changes.some(({ field }) => field === '수강'));
  const renamed = [...preview.values()].filter(({ changes }) =>
    changes.some(({ field }) => field === rosterFieldLabel('name')),
  ).length;
  const kept = [...preview.values()].map((row) => row.kept);
  const older = kept.filter((values) => values.some(({ pasted }) => pasted !== '')).length;
  const empty = kept.filter((values) => values.some(({ pasted }) => pasted === '')).length;
  const gaps = missingListNumbers(rows);
  if (older + empty + typed.length + again + spoiled + renamed + gaps.length === 0) return null;
  return (
    <p className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
      {older > 0 && `${older}명은 더 늦은 학기의 명단이 저장되어 있어 그 값을 그대로 둡니다. `}
      {empty > 0 && `${empty}명은 빈 칸이 있어 저장된 값을 그대로 둡니다. `}
      {typed.length > 0 &&
        `${typed.length}명은 직접 수정한 값이 바뀌므로 체크하지 않았습니다. ${isNew ? '체크하지 않으면 이 강의의 수강도 추가되지 않습니다. ' : ''}`}
      {gaps.length > 0 &&
        `순번 ${gaps.slice(0, GAPS_NAMED).join(', ')}${gaps.length > GAPS_NAMED ? ' …' : ''}의 행이 없습니다. 빠진 학생이 있는지 확인하세요. `}
      {renamed > 0 &&
        `${renamed}명은 저장된 이름이 바뀝니다. 이름이 다른 행으로 밀리지 않았는지 확인하세요. `}
      {again > 0 && `${again}명은 이 강의에서 수강을 삭제한 학생이라 체크하지 않았습니다. `}
      {spoiled > 0 &&
        `${spoiled}명은 저장된 연락처나 이메일이 ‘확인’할 값으로 바뀌므로 체크하지 않았습니다. 제안을 반영하거나 칸을 고치세요.`}
    </p>
  );
}

/** Describes the student of the row that the server rejected. */
function refusedRow(error: unknown, rows: readonly RosterRow[]): string | undefined {
  if (!(error instanceof ApiError) || error.details?.row === undefined) return undefined;
  const row = rows[error.details.row - 1];
  return row && `${row.name} ${row.id}: ${error.details.message}`;
}

type Comparison = { rows: RosterRow[]; preview: PreviewedRows; answer: RosterPreview };

/** Lets the server compare the rows with the stored rows, and compare again after each correction. */
function useComparison(course: ClassKey, rows: RosterRow[] | undefined) {
  const [comparison, setComparison] = useState<Comparison>();
  const { mutate, isPending, isError } = useMutation(compareRosterMutation);
  const compare = useEffectEvent((data: RosterRow[]) =>
    // Only the last call's answer is used.
    mutate({ ...course, data }, { onSuccess: setComparison }),
  );
  useEffect(() => {
    if (rows && rows.length > 0) compare(rows);
  }, [rows]);
  return {
    comparison,
    isComparing:
      isPending || (rows !== undefined && rows.length > 0 && comparison?.rows !== rows && !isError),
    hasFailed: isError,
    compareAgain: () => rows && mutate({ ...course, data: rows }, { onSuccess: setComparison }),
  };
}

type AbsentStudentsProps = {
  students: readonly AbsentStudent[];
  isRemoved: (id: string) => boolean;
  onRemove: (id: string, isTicked: boolean) => void;
};

/** Lists stored enrolments that the imported roster lacks or ends; saving deletes the ticked enrolments. */
function AbsentStudents({ students, isRemoved, onRemove }: AbsentStudentsProps) {
  return (
    <fieldset className="mt-6 rounded-md border border-line px-4 pb-4">
      <legend className="px-1 font-semibold">
        가져온 명단에 없거나 수강하지 않는다고 적힌 수강생 {students.length}명
      </legend>
      <p className="mb-2 text-sm text-ink-soft">체크한 학생만 이 강의의 수강 기록이 삭제됩니다.</p>
      <ul className="max-h-72 columns-[16rem] overflow-y-auto">
        {students.map(({ id, name, word }) => (
          <li key={id} className="break-inside-avoid">
            <label className="flex min-h-9 items-center gap-2 tabular-nums">
              <input
                type="checkbox"
                checked={isRemoved(id)}
                onChange={({ target }) => onRemove(id, target.checked)}
                className="size-4 accent-(--accent)"
              />
              <span className="min-w-0 wrap-anywhere">
                {name} {id} {word !== undefined && <span className="text-sm text-notice">‘{word}’</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

type Counts = Record<PreviewRow['kind'], number>;

type StoreRosterProps = {
  course: ClassKey;
  /** Counts of the ticked rows. */
  counts: Counts;
  /** Number of enrolments that end. */
  removed: number;
  isBusy: boolean;
  /** Whether the user still has to answer a question above. */
  isHeld: boolean;
  isStoring: boolean;
  onStore: () => void;
  onCancel: () => void;
};

/** Stores the roster. Asks before a future term: later imports of earlier terms change no personal data. */
function StoreRoster({
  course,
  counts,
  removed,
  isBusy,
  isHeld,
  isStoring,
  onStore,
  onCancel,
}: StoreRosterProps) {
  const [asked, setAsked] = useState<{ running: Term; from: HTMLElement }>();
  const isNothing = counts.new + counts.changed + removed === 0;
  return (
    <>
      <ImportFoot
        label={isStoring ? '저장하는 중' : submitLabel(counts, removed)}
        waitsFor={
          isNothing
            ? '바뀌는 내용이 없습니다.'
            : isHeld
              ? '위의 강의를 확인하면 저장할 수 있습니다.'
              : undefined
        }
        isBusy={isBusy}
        onStore={(from) => {
          const now = serverNow();
          if (hasTermBegun(course, now)) onStore();
          else setAsked({ running: currentTerm(now), from });
        }}
        onCancel={onCancel}
      />
      {asked && (
        <ConfirmDialog
          title={`${termText(course)}는 아직 시작하지 않았습니다. 저장할까요?`}
          submitLabel="저장"
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => onStore()}
        >
          <p>
            지금은 {termText(asked.running)}입니다. 저장한 뒤에는 {termText(course)} 전의 명단으로 이 학생들의
            연락처를 바꿀 수 없습니다.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Counts only rows that change something. */
function submitLabel(counts: Counts, removed: number): string {
  const stored = counts.new + counts.changed;
  const parts = [
    stored > 0 && `${stored}명 ${counts.changed === 0 ? '추가' : '저장'}`,
    removed > 0 && `${removed}명 수강 삭제`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '저장' : parts.join(', ');
}
