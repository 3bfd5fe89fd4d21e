import type { KeptCorrection, RosterUndone, StoredRosterImport } from '#contract/students';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { foretoldUndoQuery, importsQuery, undoImportMutation } from '../queries.ts';
import { fieldName } from './roster-kind.ts';

/** The rosters that were imported lately, each with its undo. */
export function RosterImports() {
  const imports = useQuery(importsQuery);
  const { mutate, isPending, data: undone } = useMutation(undoImportMutation);
  return (
    <ImportList
      imports={imports}
      what={courseName}
      counts={({ added, changed, removed }) =>
        `신규 ${added} · 변경 ${changed}${removed > 0 ? ` · 수강 종료 ${removed}` : ''}`
      }
      consequences={() => [
        '명단이 남은 가져오기들만 했을 때의 상태가 됩니다. 가져온 뒤에 직접 고친 값은 그대로 둡니다.',
      ]}
      details={foretold}
      condition="누가 사라지고 누구의 값이 그대로 남는지 되돌리기 전에 보여 줍니다."
      notice={
        undone &&
        undone.kept.length + undone.gone.length > 0 && (
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

const SHOWN = 50;

const foretold = ({ id }: StoredRosterImport) => <Foretold id={id} />;

/** Whom the undo of an import would concern. */
function Foretold({ id }: { id: number }) {
  const { data, isError, refetch } = useQuery(foretoldUndoQuery(id));
  if (data) return <Concerned {...data} />;
  return isError ? (
    <FailedPart text="누가 바뀌는지 불러오지 못했습니다." onRetry={() => void refetch()} />
  ) : (
    <LoadingPart rows={1} className="h-6" />
  );
}

/** Who goes with an import, and whose corrections its undo leaves as they are. */
function Concerned({ gone, kept }: Pick<RosterUndone, 'gone' | 'kept'>) {
  return (
    <>
      <Named
        title={`명단에서 사라지는 학생 ${gone.length}명`}
        lines={gone.map(({ id, name }) => `${name} ${id}`)}
      />
      <Named title={`직접 고치거나 삭제한 대로 두는 학생 ${kept.length}명`} lines={kept.map(keptText)} />
    </>
  );
}

function Named({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="mt-2">
      <p className="font-semibold">{title}</p>
      <ul className="max-h-48 list-disc overflow-y-auto pl-5 wrap-anywhere tabular-nums">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > SHOWN && <li>그 밖에 {lines.length - SHOWN}명</li>}
      </ul>
    </div>
  );
}

/** Such as `가람 202100001: 연락처, 수강`. */
export function keptText({ id, name, fields }: KeptCorrection): string {
  return `${name === null ? '' : `${name} `}${id}: ${fields.map((field) => others[field] ?? fieldName(field)).join(', ')}`;
}

const others: Record<string, string> = { student: '삭제됨', enrolment: '수강 여부', picture: '사진' };
