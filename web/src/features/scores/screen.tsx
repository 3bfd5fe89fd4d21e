import { useMemo, useRef } from 'react';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { EmptyPart } from '../../components/part-state.tsx';
import { repeatedIds } from './class-list.ts';
import { columnName, ROWS_MAX, scoreCandidates } from './columns.ts';
import { CarryQuestion } from './components/pasted-again-question.tsx';
import { ClassTable } from './components/class-table.tsx';
import { KeptClasses } from './components/kept-class-part.tsx';
import { MappingPanel } from './components/mapping-panel.tsx';
import { PastePanel } from './components/paste-panel.tsx';
import { PrintSheet } from './components/print-sheet.tsx';
import { RulesPanel } from './components/rules-panel.tsx';
import { ScoreHistogram } from './components/score-histogram.tsx';
import { ScoreQuestion } from './components/score-question.tsx';
import { SeatsTable } from './components/seats-table.tsx';
import { Toolbar } from './components/toolbar.tsx';
import { gradeStudents, studentsOf, type GradedRow } from './graded-class.ts';
import { useSettled } from './use-settled.ts';
import { useWork } from './use-class-work.ts';
import { tableOf } from './class-work.ts';

const SMALL_CLASS = 15;
const LEFT_OUT_NAMED = 5;

export function ScoresScreen() {
  const { work, change, isUnderway, undo, redo, undoName, redoName, kept, keeping, wipe } = useWork();
  const { text, mapping, rules, style, byHand, excluded, included } = work;
  const table = useMemo(() => tableOf(text), [text]);
  const students = useMemo(() => studentsOf({ text, mapping }), [text, mapping]);
  const isTooLong = students.length > ROWS_MAX;
  const isReady = students.length > 0 && mapping.columns.score !== undefined && !isTooLong;
  const graded = useMemo(
    () => (isReady ? gradeStudents(students, { rules, style, byHand, excluded, included }) : undefined),
    [isReady, students, rules, style, byHand, excluded, included],
  );
  // While a cut-off is dragged, the histogram updates first and the rows follow. Changes within a row show at once.
  const shown = useSettled(graded, isUnderway);
  const candidates = useMemo(
    () => (mapping.columns.score === undefined ? scoreCandidates(table, mapping) : []),
    [table, mapping],
  );
  const scoreOrigin =
    mapping.columns.score === undefined ? '' : columnName(table, mapping, mapping.columns.score);
  /** Whether the focus is on a button that disappears with the question. */
  const isAnswering = useRef(false);
  const takeFocus = (element: HTMLElement | null) => {
    if (!element || !isAnswering.current) return;
    isAnswering.current = false;
    element.focus({ preventScroll: true });
  };
  const repeated = useMemo(() => repeatedIds(students), [students]);

  return (
    <ManagementPage
      title="성적 관리"
      lead="점수를 붙여 넣어 학점을 매깁니다. 모든 계산은 이 브라우저 안에서만 하며, 어디로도 보내지 않습니다."
    >
      <div className="space-y-8 print:hidden">
        <PastePanel text={text} change={change} kept={kept} keeping={keeping} onWipe={wipe} />
        {text === '' && <KeptClasses kept={kept} keeping={keeping} />}
        {table.length === 0 && (
          <EmptyPart text="엑셀이나 학사 시스템에서 이름, 학번, 점수가 있는 표를 복사해 위 칸에 붙여 넣으세요." />
        )}
        {table.length > 0 && <MappingPanel table={table} mapping={mapping} change={change} />}
        {isTooLong && (
          <Notice
            text={`한 번에 ${ROWS_MAX.toLocaleString()}명까지 매길 수 있습니다. 지금은 ${students.length.toLocaleString()}줄입니다.`}
          />
        )}
        {table.length > 0 && students.length === 0 && <Notice text="학생이 있는 줄이 없습니다." />}
        <CarryQuestion work={work} change={change} />
        {students.length > 0 && !isTooLong && candidates.length > 0 && (
          <ScoreQuestion
            table={table}
            mapping={mapping}
            candidates={candidates}
            change={change}
            onAnswer={() => {
              isAnswering.current = true;
            }}
          />
        )}
        {students.length > 0 && mapping.columns.score === undefined && candidates.length === 0 && (
          <Notice text="점수 열을 찾지 못했습니다. 위에서 점수가 있는 열을 골라 주세요." />
        )}
        {repeated.length > 0 && (
          <Notice text={`같은 학번이 여러 줄에 있습니다: ${repeated.slice(0, 5).join(', ')}`} />
        )}
        {graded && <LeftOutNotice rows={graded.rows} />}
        {graded && shown && (
          <div ref={takeFocus} tabIndex={-1} className="outline-none">
            <Toolbar
              graded={graded}
              style={style}
              method={rules.method}
              scoreOrigin={scoreOrigin}
              undo={undo}
              redo={redo}
              undoName={undoName}
              redoName={redoName}
            />
            <div className="mb-8 grid gap-x-10 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
              <RulesPanel
                rules={rules}
                style={style}
                hasAttendance={mapping.columns.attendance !== undefined}
                hasLate={mapping.columns.late !== undefined}
                change={change}
              />
              <div className="min-w-0 space-y-6">
                {graded.graded.count <= SMALL_CLASS && (
                  <Notice
                    text={`${SMALL_CLASS}명 이하인 강의입니다. 학교에 따라 소규모 강의의 비율이 다를 수 있으니 규정을 확인하세요.`}
                  />
                )}
                <ScoreHistogram rows={graded.rows} graded={graded.graded} work={work} change={change} />
                <SeatsTable graded={graded.graded} style={style} />
              </div>
            </div>
            {/* Sticky and clipped cells are expensive to paint, so only the necessary ones are. */}
            <div className="[&_td]:overflow-visible! lg:[&_tbody_th]:static">
              <ClassTable
                rows={shown.rows}
                method={rules.method}
                style={style}
                hasAttendance={mapping.columns.attendance !== undefined}
                change={change}
              />
            </div>
          </div>
        )}
      </div>
      {graded && <PrintSheet graded={graded} rules={rules} style={style} scoreOrigin={scoreOrigin} />}
    </ManagementPage>
  );
}

/** Rows that do not look like students; the user can include them. */
function LeftOutNotice({ rows }: { rows: readonly GradedRow[] }) {
  const leftOut = rows.flatMap(({ row, leftOut: why }) => {
    if (!why) return [];
    return why.kind === 'word' ? `${row + 1}줄 ‘${why.word}’` : `${row + 1}줄 (이름과 학번 없음)`;
  });
  if (leftOut.length === 0) return null;
  const rest = leftOut.length > LEFT_OUT_NAMED ? ' …' : '';
  return (
    <Notice
      text={`학생이 아닌 것으로 보이는 ${leftOut.length}줄을 빼고 매겼습니다: ${leftOut.slice(0, LEFT_OUT_NAMED).join(', ')}${rest}. 학생이면 학점표에서 그 줄의 ‘제외’를 푸세요.`}
    />
  );
}

function Notice({ text }: { text: string }) {
  return (
    <p aria-live="polite" className="rounded-md bg-notice-wash px-4 py-3 text-notice">
      {text}
    </p>
  );
}
