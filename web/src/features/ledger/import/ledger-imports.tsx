import type { StoredLedgerImport } from '#contract/ledger';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { dayText, signedText } from '../labels.ts';
import { importsQuery, undoImportMutation } from '../queries.ts';

/** The entries that were imported together lately, each import with its undo. */
export function LedgerImports() {
  const imports = useQuery(importsQuery);
  const { mutate, isPending } = useMutation(undoImportMutation);
  return (
    <ImportList
      imports={imports}
      what={({ first, last }) => (first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`)}
      counts={({ entries, added, sum }) =>
        `${added === entries ? '' : `${added}건 중 `}${entries}건 · 합계 ${signedText(sum)}`
      }
      consequences={consequences}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}

function consequences({ entries, added, receipts, dues }: StoredLedgerImport): string[] {
  const isPart = added > entries;
  return [
    `남아 있는 내역 ${entries}건을 모두 삭제합니다.`,
    ...(isPart ? [`나머지 ${added - entries}건은 이미 삭제되었습니다.`] : []),
    ...(receipts > 0 ? [`내역에 올린 영수증 ${receipts}개도 삭제됩니다.`] : []),
    ...(dues > 0 ? [`이 입금으로 납부한 회비 ${dues}건이 미납으로 돌아갑니다.`] : []),
  ];
}
