import { type LogMonth, logReviewSchema } from '#contract/log-reviews';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ReasonDialog } from '../../../components/reason-dialog.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { monthText } from '../labels.ts';
import { exportReportMutation, logMonthsQuery, logReportQuery, signOffMutation } from '../queries.ts';
import { ReviewReport } from './review-report.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useAutosavedText } from '../../../components/use-draft.ts';

/** 접속 기록 월별 점검: the admin reviews a month's accesses to personal data and signs off the review. */
export function ReviewsTab() {
  const months = useQuery(logMonthsQuery);
  const [chosen, setChosen] = useState<string>();
  if (!months.data)
    return <MissingPart of={months} text="월별 점검을 불러오지 못했습니다." rows={8} className="h-9" />;
  // The first choice is the oldest month without a review, or else the newest finished month.
  const isDue = ({ isOver, review }: LogMonth) => isOver && review === null;
  const first = months.data.findLast(isDue) ?? months.data.find(({ isOver }) => isOver) ?? months.data[0];
  const month = chosen ?? first?.month;
  if (month === undefined) return null;
  return (
    <>
      <SelectField
        className="mb-6 w-56 print:hidden"
        label="점검 월"
        options={months.data.map((each) => ({
          value: each.month,
          label: `${monthText(each.month)} · ${stateOf(each)}`,
        }))}
        value={month}
        onChange={setChosen}
      />
      <MonthPart key={month} month={month} onSignOff={() => setChosen(month)} />
    </>
  );
}

function stateOf({ isOver, review }: LogMonth): string {
  if (!isOver) return '진행 중';
  return review === null ? '점검 필요' : '점검 완료';
}

/** @param onSignOff keeps this month on screen; otherwise the screen would go to the next unreviewed month */
function MonthPart({ month, onSignOff }: { month: string; onSignOff: () => void }) {
  const report = useQuery(logReportQuery(month));
  const [askedFrom, setAskedFrom] = useState<HTMLElement | null>(null);
  const { mutate: exportReport } = useMutation(exportReportMutation);
  if (!report.data)
    return <MissingPart of={report} text="점검 보고서를 불러오지 못했습니다." rows={8} className="h-9" />;
  const { data } = report;
  return (
    <>
      <div className="mb-4 flex gap-2 print:hidden">
        <Button variant="outline" size="sm" onClick={() => print()}>
          인쇄
        </Button>
        <Button variant="outline" size="sm" onClick={(event) => setAskedFrom(event.currentTarget)}>
          CSV 저장
        </Button>
      </div>
      <ReviewReport report={data} />
      {data.isOver && data.review === null && <SignOffForm month={month} onSubmit={onSignOff} />}
      {askedFrom !== null && (
        <ReasonDialog
          title={`${monthText(month)} 점검 보고서를 내보냅니다`}
          submitLabel="저장"
          returnFocusTo={askedFrom}
          onClose={() => setAskedFrom(null)}
          onSubmit={(reason) => exportReport({ report: data, reason })}
        />
      )}
    </>
  );
}

/** Signs off a review with a remark, which cannot be changed later. */
function SignOffForm({ month, onSubmit }: { month: string; onSubmit: () => void }) {
  const { text: remark, setText: setRemark, clear, restored } = useAutosavedText(`users/reviews/${month}`);
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useMutation({ ...signOffMutation, onSuccess: clear });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = logReviewSchema.safeParse({ remark });
    if (!parsed.success) return setError(parsed.error.issues[0]?.message);
    onSubmit();
    mutate({ month, remark: parsed.data.remark });
  };
  return (
    <form onSubmit={submit} noValidate className="mt-8 flex flex-wrap items-start gap-3 print:hidden">
      <div className="w-full empty:hidden">
        <DraftNote {...restored} />
      </div>
      <TextField
        className="min-w-56 grow"
        label="점검 의견"
        value={remark}
        maxLength={1000}
        autoComplete="off"
        error={error}
        hint="저장한 뒤에는 고칠 수 없습니다. 사람의 이름, 번호, 이메일은 ○○○으로 가려집니다."
        onChange={(event) => {
          setRemark(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" disabled={isPending} className="mt-6">
        {monthText(month)} 점검 완료
      </Button>
    </form>
  );
}
