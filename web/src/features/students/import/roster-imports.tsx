import type { KeptCorrection } from '#contract/students';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import { importsQuery, undoImportMutation } from '../queries.ts';
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
      consequences={() => ['명단이 남은 가져오기들만 했을 때의 상태가 됩니다. 직접 고친 값은 그대로 둡니다.']}
      condition="가져온 뒤에 직접 고치거나 삭제한 학생은 그대로 두고 누구인지 알려 줍니다."
      notice={undone && undone.kept.length > 0 && <Kept kept={undone.kept} />}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}

const SHOWN = 10;

/** Whose corrections an undo left as they are. */
function Kept({ kept }: { kept: readonly KeptCorrection[] }) {
  return (
    <div role="alert" className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
      <p>되돌렸습니다. 가져온 뒤에 직접 고친 내용은 그대로 두었습니다.</p>
      <ul className="mt-2 list-disc pl-5 wrap-anywhere tabular-nums">
        {kept.slice(0, SHOWN).map((each) => (
          <li key={each.id}>{keptText(each)}</li>
        ))}
        {kept.length > SHOWN && <li>그 밖에 {kept.length - SHOWN}명</li>}
      </ul>
    </div>
  );
}

/** Such as `가람 202100001: 연락처, 수강`. */
export function keptText({ id, name, fields }: KeptCorrection): string {
  return `${name === null ? '' : `${name} `}${id}: ${fields.map((field) => others[field] ?? fieldName(field)).join(', ')}`;
}

const others: Record<string, string> = { student: '삭제됨', enrolment: '수강 여부', picture: '사진' };
