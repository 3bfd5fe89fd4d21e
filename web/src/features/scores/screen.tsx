import { startTransition, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { currentTerm, termText } from '#contract/terms';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import type { SortOrder } from '../../components/table-column.ts';
import { EmptyPart } from '../../components/part-state.tsx';
import { useLoginState } from '../../lib/login-state.ts';
import { serverNow } from '../../lib/server-time.ts';
import { skipToken, useQuery } from '@tanstack/react-query';
import { studentsQuery } from '../../lib/roster.ts';
import { RosterChoice, RosterNotice } from './classes/roster-part.tsx';
import { fillInFromRoster } from './classes/roster-match.ts';
import { SaveClassPart, SavedClasses } from './classes/saved-class-part.tsx';
import { pastedTitle } from './classes/saved-classes.ts';
import { useScoresWork } from './classes/use-work.ts';
import { columnName, repeatedIds } from './columns/class-list.ts';
import { CLASS_ROWS_MAX, scoreCandidates } from './columns/columns.ts';
import { gradebookOf } from '../../lib/gradebook.ts';
import { MappingPanel } from './columns/mapping-panel.tsx';
import { UnreadColumns } from './columns/unread-columns.tsx';
import { ScoreQuestion } from './columns/score-question.tsx';
import { gradeChanges, type GradedRow, gradeStudents, studentsInTable } from './grading/graded-class.ts';
import { GradedPart, GradingNotice } from './grading/graded-part.tsx';
import { earlierDecisions } from './paste/earlier-decisions.ts';
import { CarryQuestion, PastePanel } from './paste/paste-panel.tsx';
import { UniversityFormDialog } from './print/university-form-dialog.tsx';
import { GradebookDialog, systemNames } from './print/gradebook-dialog.tsx';
import { PrintDialog, PrintSheet } from './print/printed-class.tsx';
import { type Output, Toolbar } from './toolbar.tsx';
import { formulaOf } from './weights/weighting.ts';
import { WeightsPanel } from './weights/weights-panel.tsx';
import { hasScore, scoreOrigin, type Work } from './work.ts';

const LEFT_OUT_NAMED = 5;
/** Rows without a number may be students, so more of them are named than of averages. */
const UNNUMBERED_NAMED = 20;
export function ScoresScreen() {
  const { work, change, isUnderway, undo, redo, undoName, redoName, unmoved, kept, keeping, wipe } =
    useScoresWork();
  const { text, table, mapping, weighting, rules, style, byRow, roster } = work;
  const { name: userName } = useLoginState();
  const [running] = useState(() => currentTerm(serverNow()));
  const asked = studentsQuery(roster ?? 'all');
  const { data: listed } = useQuery(roster ? asked : { ...asked, queryFn: skipToken });
  const onRoster = roster && listed && listed.length > 0 ? listed : undefined;
  const read = useMemo(() => studentsInTable({ table, mapping, weighting }), [table, mapping, weighting]);
  const students = useMemo(() => (onRoster ? fillInFromRoster(read, onRoster) : read), [read, onRoster]);
  const isTooLong = students.length > CLASS_ROWS_MAX;
  const isReady = students.length > 0 && hasScore({ mapping, weighting }) && !isTooLong;
  const graded = useMemo(
    () => (isReady ? gradeStudents(students, { rules, style, byRow }) : undefined),
    [isReady, students, rules, style, byRow],
  );
  // While a cut-off is dragged, the rows are updated later than the histogram. Other changes show at once.
  const shown = useSettled(graded, isUnderway);
  // The comparison grades the class a second time, so it is deferred; otherwise the first move would be late.
  const start = useDeferredValue(unmoved);
  const before = useMemo(() => start && gradeStudents(students, start), [students, start]);
  const changes = useMemo(() => before && graded && gradeChanges(before, graded), [before, graded]);
  const { before: earlier } = work;
  const hasQuestion = useMemo(
    () => earlierDecisions({ before: earlier, table, mapping }) !== undefined,
    [earlier, table, mapping],
  );
  const isAsked = mapping.columns.score === undefined && !weighting;
  const candidates = useMemo(
    () => (isAsked ? scoreCandidates(table, mapping) : []),
    [isAsked, table, mapping],
  );
  const origin = useMemo(() => scoreOrigin({ table, mapping, weighting }), [table, mapping, weighting]);
  const formula = useMemo(
    () => weighting && formulaOf(weighting, (column) => columnName(table, mapping, column)),
    [table, mapping, weighting],
  );
  const gradebook = useMemo(() => gradebookOf(table), [table]);
  const [output, setOutput] = useState<{ kind: Output; from: HTMLElement }>();
  const [order, setOrder] = useState<SortOrder>();
  /** Whether the focus is on a button that will disappear with the question. */
  const isAnswering = useRef(false);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    if (!element || !isAnswering.current) return;
    isAnswering.current = false;
    element.focus({ preventScroll: true });
  }, []);
  const onAnswer = useCallback(() => {
    isAnswering.current = true;
  }, []);
  const repeated = useMemo(() => repeatedIds(students), [students]);
  const course = kept.name ?? pastedTitle(work) ?? roster?.subject ?? '';
  const term = termText(roster ?? running);
  const usualHeading = useMemo(() => ({ course, term, lecturer: userName }), [course, term, userName]);

  const close = () => setOutput(undefined);
  const columns = <MappingPanel table={table} mapping={mapping} change={change} onWeigh={onAnswer} />;

  return (
    <ManagementPage
      title="성적 관리"
      {...(text === '' && {
        lead: '점수를 붙여넣어 학점을 매깁니다. 모든 계산은 이 브라우저 안에서만 하며, 어디로도 보내지 않습니다.',
      })}
    >
      <div className={`print:hidden ${graded ? 'space-y-2' : 'space-y-6'}`}>
        <PastePanel
          course={<RosterChoice roster={roster} change={change} />}
          text={text}
          table={table}
          doubtful={work.doubtful}
          change={change}
          isKept={kept.name !== undefined}
          onWipe={wipe}
        >
          <SaveClassPart kept={kept} keeping={keeping} isEmpty={text === ''} />
        </PastePanel>
        {text === '' && <SavedClasses kept={kept} keeping={keeping} />}
        {table.length === 0 && (
          <EmptyPart text="엑셀이나 학사 시스템에서 이름, 학번, 점수가 있는 표를 복사해 위 칸에 붙여넣으세요." />
        )}
        {(table.length > 0 || undoName !== undefined || redoName !== undefined) && (
          <Toolbar
            graded={graded}
            style={style}
            method={rules.method}
            scoreOrigin={origin}
            hasQuestion={hasQuestion}
            order={order}
            hasIds={mapping.columns.id !== undefined || onRoster !== undefined}
            gradebook={gradebook && systemNames[gradebook.system]}
            onOutput={(kind, from) => setOutput({ kind, from })}
            undo={undo}
            redo={redo}
            undoName={undoName}
            redoName={redoName}
          />
        )}
        {table.length > 0 && !graded && columns}
        {isTooLong && (
          <GradingNotice
            text={`한 번에 ${CLASS_ROWS_MAX.toLocaleString()}명까지 매길 수 있습니다. 지금은 ${students.length.toLocaleString()}행입니다.`}
          />
        )}
        {table.length > 0 && students.length === 0 && <GradingNotice text="학생이 있는 행이 없습니다." />}
        <CarryQuestion work={work} change={change} />
        {students.length > 0 && !isTooLong && weighting && (
          <WeightsPanel
            table={table}
            mapping={mapping}
            weighting={weighting}
            change={change}
            takeFocus={takeFocus}
          />
        )}
        {students.length > 0 && !isTooLong && candidates.length > 0 && (
          <ScoreQuestion
            table={table}
            mapping={mapping}
            candidates={candidates}
            change={change}
            onAnswer={onAnswer}
          />
        )}
        {students.length > 0 && isAsked && candidates.length === 0 && (
          <GradingNotice text="점수 열을 찾지 못했습니다. 위에서 점수가 있는 열을 선택하세요." />
        )}
        {repeated.length > 0 && (
          <GradingNotice
            text={`같은 학번이나 이름이 여러 행에 있습니다: ${repeated.slice(0, 5).join(', ')}`}
          />
        )}
        {onRoster && isReady && <RosterNotice rows={read} students={onRoster} />}
        {graded && <LeftOutNotice rows={graded.rows} />}
        {graded && <DoubtNotice rows={graded.rows} />}
        {shown && <UnreadColumns key={text} work={work} rows={shown.rows} change={change} />}
        {graded && shown && (
          <GradedPart
            work={work}
            graded={graded}
            shown={shown}
            changes={changes}
            scoreOrigin={origin}
            formula={formula}
            order={order}
            onOrder={setOrder}
            takeFocus={(element) => takeFocus(element)}
            change={change}
          >
            {columns}
          </GradedPart>
        )}
      </div>
      {graded && gradebook && output?.kind === 'gradebook' && (
        <GradebookDialog
          table={table}
          gradebook={gradebook}
          graded={graded}
          style={style}
          course={course}
          returnFocusTo={output.from}
          onClose={close}
        />
      )}
      {graded && output?.kind === 'form' && (
        <UniversityFormDialog
          graded={graded}
          style={style}
          method={rules.method}
          returnFocusTo={output.from}
          onClose={close}
        />
      )}
      {graded && output?.kind === 'print' && (
        <PrintDialog
          heading={work.heading}
          usual={usualHeading}
          change={change}
          returnFocusTo={output.from}
          onClose={close}
        />
      )}
      {graded && (
        <PrintSheet
          graded={graded}
          rules={rules}
          style={style}
          heading={headingOf(work, usualHeading)}
          scoreOrigin={origin}
          formula={formula}
        />
      )}
    </ManagementPage>
  );
}

function headingOf({ heading }: Work, usual: Work['heading']): Work['heading'] {
  return {
    course: heading.course.trim() || usual.course,
    term: heading.term.trim() || usual.term,
    lecturer: heading.lecturer.trim() || usual.lecturer,
  };
}

/** Lists the rows that were left out, by reason; the user can include them. */
function LeftOutNotice({ rows }: { rows: readonly GradedRow[] }) {
  const unnumbered: string[] = [];
  const others: string[] = [];
  const gone: string[] = [];
  const below: string[] = [];
  for (const { row, name, id, leftOut } of rows) {
    if (leftOut?.kind === 'no number') unnumbered.push(`${row + 1}행 ‘${leftOut.word}’`);
    if (leftOut?.kind === 'word') others.push(`${row + 1}행 ‘${leftOut.word}’`);
    if (leftOut?.kind === 'nobody') others.push(`${row + 1}행 (이름과 학번 없음)`);
    if (leftOut?.kind === 'gone') gone.push(`${name || id || `${row + 1}행`} ‘${leftOut.word}’`);
    if (leftOut?.kind === 'below other header') below.push(`${row + 1}행`);
  }
  return [
    below.length > 0 &&
      `다른 머리글 아래의 ${below.length}행을 제외하고 매겼습니다: ${someOf(below)}. 머리글의 열 순서를 맞추거나 따로 붙여넣으세요.`,
    gone.length > 0 &&
      `수강하지 않는 것으로 표시된 ${gone.length}명을 제외하고 매겼습니다: ${someOf(gone)}. 학점을 받는 학생이면 학점표에서 ‘제외’를 푸세요.`,
    unnumbered.length > 0 &&
      `학번이 없는 ${unnumbered.length}행을 제외하고 매겼습니다: ${someOf(unnumbered, UNNUMBERED_NAMED)}. 학생이면 학점표에서 그 행의 ‘제외’를 푸세요.`,
    others.length > 0 &&
      `학생이 아닌 것으로 보이는 ${others.length}행을 제외하고 매겼습니다: ${someOf(others)}. 학생이면 학점표에서 그 행의 ‘제외’를 푸세요.`,
  ].map((text) => text !== false && <GradingNotice key={text} text={text} />);
}

const someOf = (texts: readonly string[], most = LEFT_OUT_NAMED) =>
  `${texts.slice(0, most).join(', ')}${texts.length > most ? ' …' : ''}`;

/** Lists scores that look wrong and are graded unchanged, and students without a score. */
function DoubtNotice({ rows }: { rows: readonly GradedRow[] }) {
  const nameOf = ({ row, name, id }: GradedRow) => name || id || `${row + 1}행`;
  const doubtful = rows.filter(({ doubt, isExcluded }) => doubt !== '' && !isExcluded);
  const unscored = rows.filter(({ flag }) => flag === 'no-score' || flag === 'missing-part');
  return [
    doubtful.length > 0 &&
      `점수를 확인할 학생이 ${doubtful.length}명 있습니다: ${someOf(doubtful.map((row) => `${nameOf(row)} (${row.doubt})`))}`,
    unscored.length > 0 &&
      `점수가 없는 학생이 ${unscored.length}명 있습니다: ${someOf(unscored.map((row) => `${nameOf(row)} (${row.scoreCell || '빈 칸'})`))}`,
  ].map((text) => text !== false && <GradingNotice key={text} text={text} />);
}

/** Pause in milliseconds before expensive updates are made. */
const SETTLED_AFTER = 250;

/** Returns the value. While `isUnderway`, returns an earlier value until the value has stopped changing. */
function useSettled<Value>(value: Value, isUnderway: boolean): Value {
  const [settled, setSettled] = useState(value);
  if (!isUnderway && settled !== value) setSettled(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(value)), SETTLED_AFTER);
    return () => clearTimeout(timer);
  }, [value]);
  return isUnderway ? settled : value;
}
