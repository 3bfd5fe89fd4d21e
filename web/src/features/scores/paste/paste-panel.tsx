import {
  type ChangeEvent,
  type ClipboardEvent,
  type ReactNode,
  memo,
  startTransition,
  useId,
  useRef,
  useState,
} from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { FileButton, SheetField, useFileDrop } from '../../../components/import/table-input.tsx';
import { TableRemarks } from '../../../components/import/table-remarks.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Label } from '../../../components/ui/label.tsx';
import { toTsv } from '../../../lib/csv.ts';
import { TEXT_TABLE } from '../../../lib/paste-table.ts';
import {
  readWithWorker,
  type ReadRefusal,
  type ReadTable,
  type TableSource,
} from '../../../lib/table-file/read-table.ts';
import { cacheColumnProfiles, type PastedClass } from '../columns/columns.ts';
import { cacheStudents } from '../grading/graded-class.ts';
import type { ChangeWork, Work } from '../work.ts';
import type { ReadScores } from './scores.worker.ts';
import { earlierDecisions, decisionTexts, withTable, applyDecisions } from './earlier-decisions.ts';

/**
 * A longer paste (about 300 students) is not put into the field: a long textarea is repainted with every
 * change on the page, so dragging a cut-off would stutter on a slow machine.
 */
const LONGEST_SHOWN = 10_000;

type Props = Pick<Work, 'text' | 'table' | 'doubtful'> & {
  change: ChangeWork;
  /** Whether this browser stores the class under a name. */
  isKept: boolean;
  onWipe: () => void;
  /** The choice of the class that the scores belong to. */
  course: ReactNode;
  /** Whether and under which name the class is stored. */
  children: ReactNode;
};

export function PastePanel({ text, table, doubtful, change, isKept, onWipe, course, children }: Props) {
  const id = useId();
  /** The button that asks for confirmation. */
  const [wiping, setWiping] = useState<HTMLElement>();
  /** Pasted or restored text is collapsed to one line; text that the user is typing is not. */
  const [isFolded, setFolded] = useState(text !== '');
  const isLine = text.length > LONGEST_SHOWN || (isFolded && text !== '');
  /** Whether the next rendered element (the field or its collapsed line) must get the focus. */
  const isHandingOver = useRef(false);
  const takeFocus = (element: HTMLElement | null) => {
    if (!element || !isHandingOver.current) return;
    isHandingOver.current = false;
    // Moving the focus before the layout would make the browser lay out thousands of students twice.
    setTimeout(() => element.focus());
  };
  const fold = (isNext: boolean) => {
    isHandingOver.current = isNext !== isLine;
    setFolded(isNext);
  };
  const take = (next: string, mergeKey?: string) => {
    const isTyped = mergeKey !== undefined && next.length <= LONGEST_SHOWN;
    fold(next !== '' && !isTyped);
    change('붙여넣기', (work) => withTable(work, next), mergeKey);
  };
  const { give, isReading, refusal, read } = useReadScores((next, scores) => {
    fold(true);
    change('붙여넣기', (work) => withTable(work, next, scores));
  });
  const giveFile = (file: File | undefined) => file && give({ file });
  /** The file and its sheets are known only while the shown text is the text of the file. */
  const shown = read?.text === text ? read : undefined;
  const { file, sheets = [], sheet = 0 } = (refusal?.sheets ? refusal : shown) ?? {};
  const onPaste = (event: ClipboardEvent) => {
    const long = event.clipboardData.getData('text/plain');
    const [file] = event.clipboardData.files;
    // Spreadsheets also put an image of the cells on the clipboard, so a file is used only without text.
    if (long === '' && file) {
      event.preventDefault();
      giveFile(file);
    } else if (long.length > LONGEST_SHOWN) {
      event.preventDefault();
      give({ text: long });
    }
  };
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    // On phones, the event of a paste may look like typing, so several new lines count as a paste.
    const isMore = target.value.split('\n').length > text.split('\n').length + 1;
    const isPaste = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromPaste';
    take(target.value, isPaste || isMore ? undefined : 'typing');
  };
  return (
    <section {...useFileDrop(giveFile)}>
      {!isLine && <div className="mb-4">{course}</div>}
      <Label htmlFor={id} className={isLine ? 'sr-only' : undefined}>
        점수 표
      </Label>
      {!isLine && (
        <textarea
          ref={takeFocus}
          id={id}
          value={text}
          rows={text === '' ? 6 : 3}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          onChange={onChange}
          onPaste={onPaste}
          className="mt-1.5 block w-full overflow-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm text-ink"
        />
      )}
      {!isLine && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
          표를 붙여넣거나, 엑셀(.xlsx)·CSV 파일을 선택하거나 여기에 놓으세요. 머리글(열 이름이 있는 행)은
          있어도 없어도 됩니다. 열 순서는 상관없습니다: 이름, 학번, 점수, 출석
        </p>
      )}
      <div className={`flex flex-wrap items-center gap-x-1.5 gap-y-2 ${isLine ? '' : 'mt-3'}`}>
        {isLine && course}
        {isLine && (
          <output id={id} className="mr-1 text-sm tabular-nums">
            붙여넣은 표 {text.split('\n').length.toLocaleString()}행
          </output>
        )}
        {isLine && text.length <= LONGEST_SHOWN && (
          <Button variant="outline" size="sm" onClick={() => fold(false)}>
            표 펼치기
          </Button>
        )}
        {isLine && (
          <Button ref={takeFocus} variant="outline" size="sm" onClick={() => take('')}>
            다시 붙여넣기
          </Button>
        )}
        <FileButton label="점수 표" isSmall={isLine} onChoose={giveFile} />
        {isReading && <output className="text-sm text-ink-soft">표를 읽는 중입니다.</output>}
        {file && <span className="min-w-0 text-sm wrap-anywhere text-ink-soft">{file.name}</span>}
        {file && (
          <SheetField sheets={sheets} sheet={sheet} onChange={(other) => give({ file, sheet: other })} />
        )}
        {(text !== '' || isKept) && (
          <Button variant="destructive-ghost" size="sm" onClick={(event) => setWiping(event.currentTarget)}>
            모두 지우기
          </Button>
        )}
        {children}
      </div>
      <TableRemarks
        table={{ ...TEXT_TABLE, ...shown, rows: table, doubtful }}
        areLinesNamed
        {...(file && !refusal?.sheets && { onTakeHidden: () => give({ file, sheet, withHidden: true }) })}
      />
      {refusal && (
        <p role="alert" className="mt-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {refusal.refusal}
        </p>
      )}
      {wiping && (
        <ConfirmDialog
          title="붙여넣은 표와 학점을 모두 지울까요?"
          submitLabel="모두 지우기"
          isDestructive
          returnFocusTo={wiping}
          onClose={() => setWiping(undefined)}
          onSubmit={onWipe}
        >
          <p>이 강의의 보관 내용도 함께 지웁니다. 되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const LOST_NAMED = 10;
const lostNames = (lost: readonly string[]) =>
  `${lost.slice(0, LOST_NAMED).join(', ')}${lost.length > LOST_NAMED ? ' …' : ''}`;

type CarryProps = { work: Work; change: ChangeWork };

/** Asks whether decisions about the previous table apply to this table; until then they do not. */
export const CarryQuestion = memo(
  function CarryQuestion({ work, change }: CarryProps) {
    const carried = earlierDecisions(work);
    if (!carried) return null;
    const answer = (isWanted: boolean) => {
      change(isWanted ? '이전 설정 적용' : '이전 설정 버리기', (now) => applyDecisions(now, isWanted));
      document.getElementById('main')?.focus({ preventScroll: true });
    };
    return (
      <section
        aria-label="이전 표의 설정"
        aria-live="polite"
        className="rounded-md bg-notice-wash px-4 py-3 text-notice"
      >
        <p className="font-semibold">
          이전 표에서 정한 설정을 이 표에도 적용할까요? 아직 적용하지 않았습니다.
        </p>
        <p>
          {decisionTexts(carried, work.table).join(', ')}
          {carried.lost.length > 0 &&
            ` · 다음 ${carried.lost.length}명의 설정은 적용하지 않습니다: ${lostNames(carried.lost)}`}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button variant="outline" size="sm" onClick={() => answer(true)}>
            적용
          </Button>
          <Button variant="outline" size="sm" onClick={() => answer(false)}>
            버리기
          </Button>
        </div>
      </section>
    );
  },
  // Compares only the props that affect the question.
  (one, other) =>
    one.change === other.change &&
    one.work.before === other.work.before &&
    one.work.table === other.work.table &&
    one.work.mapping === other.work.mapping,
);

type Read = Pick<ReadTable, 'sheets' | 'sheet' | 'hasHidden' | 'remarks'> & {
  text: string;
  file: File | undefined;
};

const startWorker = () => new Worker(new URL('./scores.worker.ts', import.meta.url), { type: 'module' });

/** Reads a long text or a file's sheet in a worker. A sheet becomes text, as if the user had pasted it. */
function useReadScores(onRead: (text: string, scores: PastedClass) => void) {
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<Pick<Read, 'file'> & ReadRefusal>();
  const [read, setRead] = useState<Read>();
  const newest = useRef<TableSource>(undefined);
  const give = async (source: TableSource) => {
    newest.current = source;
    setReading(true);
    const scores = await readWithWorker<ReadScores>(startWorker, source, { keepEmptyRows: true });
    if (newest.current !== source) return;
    // A transition, so that rendering thousands of students does not block input.
    startTransition(() => {
      setReading(false);
      const file = 'file' in source ? source.file : undefined;
      setRefusal('refusal' in scores ? { ...scores, file } : undefined);
      if ('refusal' in scores) return;
      const { table, doubtful, mapping, profiles, students, sheets, sheet, hasHidden, remarks } = scores;
      cacheColumnProfiles(table, profiles);
      cacheStudents({ table, mapping, weighting: undefined }, students);
      const text = 'text' in source ? source.text : toTsv(table);
      setRead({ text, sheets, sheet, hasHidden, remarks, file });
      onRead(text, { table, doubtful, mapping });
    });
  };
  return { give: (source: TableSource) => void give(source), isReading, refusal, read };
}
