import { undoHindrancesSchema, type UndoHindrance } from '#contract/students';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import { currentOf } from '../../../lib/merge.ts';
import { importsQuery, undoImportMutation } from '../queries.ts';
import { fieldName } from './roster-kind.ts';

/** The rosters that were imported lately, each with its undo. */
export function RosterImports() {
  const imports = useQuery(importsQuery);
  const { mutate, isPending, error } = useMutation(undoImportMutation);
  const refused = currentOf(error, undoHindrancesSchema);
  return (
    <ImportList
      imports={imports}
      what={courseName}
      counts={({ added, changed, removed }) =>
        `신규 ${added} · 변경 ${changed}${removed > 0 ? ` · 수강 종료 ${removed}` : ''}`
      }
      consequences={() => ['이 가져오기로 추가되거나 바뀐 내용이 가져오기 전으로 돌아갑니다.']}
      condition="가져온 뒤에 고치거나 삭제한 학생이 있으면 되돌리지 않고 누구인지 알려 줍니다."
      notice={refused && <UndoRefusal {...refused} />}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}

const SHOWN = 10;

/** Why an import cannot be undone: whose rows were changed since, and what can be done. */
function UndoRefusal({ hindrances }: { hindrances: readonly UndoHindrance[] }) {
  return (
    <div role="alert" className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
      <p>가져온 뒤에 바뀐 학생이 있어 되돌리지 않았습니다. 아무것도 바뀌지 않았습니다.</p>
      <ul className="my-2 list-disc pl-5 wrap-anywhere tabular-nums">
        {hindrances.slice(0, SHOWN).map((each) => (
          <li key={each.id}>{hindranceText(each)}</li>
        ))}
        {hindrances.length > SHOWN && <li>그 밖에 {hindrances.length - SHOWN}명</li>}
      </ul>
      <p>
        이 값들을 가져온 값으로 되돌려 놓으면 되돌릴 수 있습니다. 아니면 목록에서 잘못된 학생만 고치거나
        삭제하세요. 삭제된 학생이 있으면 되돌릴 수 없습니다.
      </p>
    </div>
  );
}

/** Such as `가람 202100001: 연락처, 수강`. */
export function hindranceText({ id, name, fields }: UndoHindrance): string {
  return `${name === null ? '' : `${name} `}${id}: ${fields.map((field) => others[field] ?? fieldName(field)).join(', ')}`;
}

const others: Record<string, string> = { student: '삭제됨', enrolment: '수강 여부', picture: '사진' };
