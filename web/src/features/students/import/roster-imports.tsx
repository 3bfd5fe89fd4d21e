import type {
  PreservedCorrection,
  RosterUndoResult,
  StoredRosterImport,
  UndoneChange,
} from '#contract/students';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { previewUndoQuery, rosterImportsQuery, undoRosterImportMutation } from '../queries.ts';
import { rosterFieldLabel } from './roster-kind.ts';

/** The recently imported rosters, each with a button to undo it. */
export function RosterImports() {
  const imports = useQuery(rosterImportsQuery);
  const { mutate, isPending, data: undone } = useMutation(undoRosterImportMutation);
  return (
    <ImportList
      imports={imports}
      what={courseName}
      counts={({ added, changed, removed }) =>
        `신규 ${added} · 변경 ${changed}${removed > 0 ? ` · 수강 종료 ${removed}` : ''}`
      }
      consequences={() => [
        '명단이 남은 가져오기들만 했을 때의 상태가 됩니다. 직접 고친 값과 다음 가져오기가 남긴다고 보여 준 값은 그대로 둡니다.',
      ]}
      details={foretold}
      condition="되돌리기 전에 추가·삭제되는 학생과 바뀌거나 남는 값을 보여 줍니다."
      notice={
        undone && (
          <div role="alert" className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
            <p>되돌렸습니다.</p>
            <Concerned {...undone} />
          </div>
        )
      }
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}

const foretold = ({ id }: StoredRosterImport) => <Foretold id={id} />;

/** Lists the people that undoing the import would affect. */
function Foretold({ id }: { id: number }) {
  const { data, isError, refetch } = useQuery(previewUndoQuery(id));
  if (data) return <Concerned {...data} />;
  return isError ? (
    <FailedPart text="누가 바뀌는지 불러오지 못했습니다." onRetry={() => void refetch()} />
  ) : (
    <LoadingPart rows={1} className="h-6" />
  );
}

/** Lists who is deleted, restored or removed from the class, whose data change, and whose data stay. */
function Concerned({
  gone,
  kept,
  altered,
  stays,
}: Pick<RosterUndoResult, 'gone' | 'kept' | 'altered' | 'stays'>) {
  const enrolled = (what: UndoneChange['enrolment']) => altered.filter(({ enrolment }) => enrolment === what);
  const changing = altered.filter(({ changes }) => changes.length > 0);
  if (gone.length + kept.length + altered.length + stays.length === 0)
    return <p className="mt-2">바뀌는 학생이 없습니다.</p>;
  return (
    <>
      <Named title="명단에서 사라지는 학생" lines={gone.map(personText)} />
      <Named title="이 강의에서 빠지는 학생" lines={enrolled('ended').map(personText)} />
      <Named title="이 수업으로 돌아오는 학생" lines={enrolled('begun').map(personText)} />
      <Named title="값이 바뀌는 학생" lines={changing.map(changeText)} />
      <Named title="직접 고치거나 삭제한 대로 두는 학생" lines={kept.map(preservedText)} />
      <Named title="이 가져오기의 값이 남는 학생" lines={stays.map(preservedText)} />
    </>
  );
}

const personText = ({ id, name }: { id: string; name: string }) => `${name} ${id}`;

const changeText = ({ changes, ...who }: UndoneChange) =>
  `${personText(who)}: ${changes.map(({ field, before, after }) => `${rosterFieldLabel(field)} ${valueText(before)} → ${valueText(after)}`).join(', ')}`;

const valueText = (value: string | number) => (value === '' ? '(빈 값)' : String(value));

function Named({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="mt-2">
      <p className="font-semibold">
        {title} {lines.length}명
      </p>
      <ul className="max-h-48 list-disc overflow-y-auto pl-5 wrap-anywhere tabular-nums">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** A student and the corrected fields, such as `가람 202100001: 연락처, 수강`. */
export function preservedText({ id, name, fields }: PreservedCorrection): string {
  return `${name === null ? '' : `${name} `}${id}: ${fields.map((field) => others[field] ?? rosterFieldLabel(field)).join(', ')}`;
}

const others: Record<string, string> = { student: '삭제됨', enrolment: '수강 여부', picture: '사진' };
