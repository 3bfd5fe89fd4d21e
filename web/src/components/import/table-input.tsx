import { useId, useState, type ChangeEvent, type ClipboardEvent, type DragEvent } from 'react';
import { hasSideBySideTables } from '../../lib/paste-table.ts';
import type { ReadTable } from '../../lib/table-file/read-table.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { SelectField } from '../select-field.tsx';
import { Button } from '../ui/button.tsx';
import { Label } from '../ui/label.tsx';
import type { TableInputState } from './use-table-input.ts';

/** In characters. A longer text is not put into the field: its layout would take nearly a second. */
const LONGEST_SHOWN = 50_000;
const FILES = '.xlsx,.xls,.csv,.tsv,.txt';

type Props = {
  given: TableInputState;
  label: string;
  /** Lists the columns that the import understands. */
  hint: string;
  /** Set while another required input is missing: a new table is then shown only after read(). */
  isHeld?: boolean;
  /** Replaces what the button does; by default it reads the typed text. */
  onRead?: (from: HTMLElement) => void;
};

/** An input for a table: paste, drop or file. Reads pastes and files immediately, typed text on request. */
export function TableInput({ given, label, hint, isHeld = false, onRead = given.read }: Props) {
  const id = useId();
  const giveFile = (file: File | undefined) => file && given.give({ file }, isHeld);
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    // A pasted table replaces a restored draft instead of being appended to the draft's text.
    const isAnother = given.restored.isRestored && /[\r\n]/.test(pasted.trim());
    const [file] = event.clipboardData.files;
    // Spreadsheets put an image of the cells on the clipboard beside their text.
    if (pasted === '' && file) {
      event.preventDefault();
      giveFile(file);
    } else if (pasted.length > LONGEST_SHOWN || isAnother) {
      event.preventDefault();
      given.give({ text: pasted }, isHeld);
    }
  };
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    const isPaste = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertFromPaste';
    if (isPaste) given.give({ text: target.value }, isHeld);
    else given.setText(target.value);
  };
  const isRead = given.table !== undefined;
  return (
    <div {...useFileDrop(giveFile)}>
      {/* The input takes only one line once it is read, because its rows are shown below. */}
      <div className={isRead ? 'items-end gap-x-2 sm:grid sm:grid-cols-[minmax(0,1fr)_auto]' : undefined}>
        <Label htmlFor={id} className="col-span-full">
          {label}
        </Label>
        {given.file || given.text.length > LONGEST_SHOWN ? (
          <GivenLine id={id} given={given} isHeld={isHeld} />
        ) : (
          <textarea
            id={id}
            aria-describedby={`${id}-hint`}
            value={given.text}
            ref={(field) => {
              if (field && isRead) field.scrollTop = 0;
            }}
            rows={isRead ? 1 : 6}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            onPaste={onPaste}
            onChange={onChange}
            className={`mt-1.5 block w-full rounded-md border border-line-strong bg-surface font-mono text-sm text-ink ${isRead ? 'overflow-hidden px-3 leading-11' : 'overflow-auto p-3'}`}
          />
        )}
        <p id={`${id}-hint`} hidden={isRead} className="mt-1.5 text-sm text-ink-soft">
          표를 붙여넣거나, 엑셀(.xlsx)·CSV 파일을 선택하거나 여기에 놓으세요. {hint}
        </p>
        <div className={`mt-3 flex flex-wrap items-center gap-2 ${isRead ? 'max-sm:hidden' : ''}`}>
          <Button
            variant={isRead ? 'outline' : 'default'}
            aria-disabled={given.isReading}
            onClick={({ currentTarget }) => !given.isReading && onRead(currentTarget)}
          >
            미리보기
          </Button>
          <FileButton label={label} onChoose={giveFile} />
          {given.isReading && <output className="text-sm text-ink-soft">표를 읽는 중입니다.</output>}
          {isHeld && given.newest && (
            <output className="text-sm text-notice">
              아직 검토하지 않았습니다. 위의 빈 칸을 채우고 ‘미리보기’를 누르세요.
            </output>
          )}
        </div>
      </div>
      {given.newest && <TableRemarks table={given.newest} {...takeHidden(given, isHeld)} />}
      {given.refusal !== undefined && (
        <p role="alert" className="mt-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {given.refusal}
        </p>
      )}
    </div>
  );
}

function takeHidden({ file, newest: table, give }: TableInputState, isHeld: boolean) {
  const { source } = file ?? {};
  if (!source || !table) return {};
  return { onTakeHidden: () => give({ file: source, sheet: table.sheet, withHidden: true }, isHeld) };
}

/**
 * Notes about what the rows do not show: sheets that were not read, hidden rows and columns, merged cells,
 * formulas without a value, and ambiguous quotation marks.
 */
export function TableRemarks({
  table: { rows, doubtful, sheets, sheet, remarks, hasHidden },
  areLinesNamed = false,
  onTakeHidden,
}: {
  table: Pick<ReadTable, 'rows' | 'doubtful' | 'sheets' | 'sheet' | 'remarks' | 'hasHidden'>;
  /** Set if no check step follows, which would flag the doubtful rows. */
  areLinesNamed?: boolean;
  onTakeHidden?: () => void;
}) {
  const {
    hiddenRows,
    hiddenColumns,
    merged,
    uncomputed,
    struckRows = [],
    comments = [],
    below = '',
  } = remarks;
  const hidden = [
    ...(hiddenRows > 0 ? [`${hiddenRows}행`] : []),
    ...(hiddenColumns > 0 ? [`${hiddenColumns}열`] : []),
  ].join(', ');
  const lines = [
    ...(sheets.length > 1 ? [sheetsText(sheets, sheet)] : []),
    ...(uncomputed > 0
      ? [`계산되지 않은 수식이 ${uncomputed}칸 있습니다. 엑셀에서 열어 저장한 뒤 다시 선택하세요.`]
      : []),
    ...(merged > 0 ? [`병합된 셀 ${merged}개의 값을 그 셀이 걸친 모든 행에 넣었습니다.`] : []),
    ...(struckRows.length > 0
      ? [
          `취소선이 그어진 행(시트의 맨 위부터)도 그대로 읽었습니다: ${linesText(struckRows.map((row) => row - 1))}.`,
        ]
      : []),
    ...(remarks.hasStruckText ? ['취소선이 그어진 글자도 그대로 읽었습니다.'] : []),
    ...(comments.length > 0 ? [`셀에 달린 메모는 읽지 않았습니다: ${commentsText(comments)}.`] : []),
    ...(hasSideBySideTables(rows)
      ? ['표가 옆으로 반복되어 맨 왼쪽 표만 읽었습니다. 나머지는 그 아래로 옮겨 붙인 뒤 다시 넣으세요.']
      : []),
    ...(below === ''
      ? []
      : [
          `표 아래의 글은 읽지 않았습니다: ‘${below.slice(0, BELOW_SHOWN)}${below.length > BELOW_SHOWN ? '…' : ''}’`,
        ]),
    ...(doubtful.length > 0
      ? [
          areLinesNamed
            ? `따옴표(")를 두 가지로 읽을 수 있는 행(표의 맨 위부터): ${linesText(doubtful)}. 확인하세요.`
            : `따옴표(")를 두 가지로 읽을 수 있는 행이 ${doubtful.length}개 있습니다. 검토할 표에 표시합니다.`,
        ]
      : []),
  ];
  if (hidden === '' && lines.length === 0) return null;
  return (
    <ul className="mt-3 space-y-1 rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
      {hidden !== '' && (
        <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {hasHidden ? `숨긴 ${hidden}도 포함했습니다.` : `숨긴 ${hidden} 제외`}
          {!hasHidden && onTakeHidden && (
            <Button variant="outline" size="sm" onClick={onTakeHidden}>
              숨긴 것도 포함
            </Button>
          )}
        </li>
      )}
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const BELOW_SHOWN = 100;
const SHEETS_NAMED = 5;

/** Says which sheet (or table of a web page) is read, and which others are not. */
export function sheetsText(sheets: readonly string[], sheet: number): string {
  const others = sheets.filter((_, at) => at !== sheet);
  const more = others.length > SHEETS_NAMED ? ` 외 ${others.length - SHEETS_NAMED}개` : '';
  const named = others.slice(0, SHEETS_NAMED).map((name) => `‘${name}’`);
  return `이 파일의 시트(표) ${sheets.length}개 가운데 ‘${sheets[sheet]}’만 읽었습니다. 읽지 않은 것: ${named.join(', ')}${more}`;
}

const LINES_SHOWN = 10;
function linesText(rows: readonly number[]): string {
  const shown = rows.slice(0, LINES_SHOWN).map((at) => at + 1);
  const more = rows.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` 외 ${more}행` : '행'}`;
}

const COMMENTS_SHOWN = 5;
const commentsText = (comments: readonly string[]) =>
  comments.slice(0, COMMENTS_SHOWN).join(', ') + (comments.length > COMMENTS_SHOWN ? ' …' : '');

/** Describes input that the text field does not show: a file, the file's sheet, or a long text. */
function GivenLine({ id, given, isHeld }: { id: string; given: TableInputState; isHeld: boolean }) {
  const { file, newest: table, text } = given;
  const { source } = file ?? {};
  const name = file ? file.name : `붙여넣은 표 ${text.split('\n').length}행`;
  const hasSheets = table !== undefined && table.sheets.length > 1;
  return (
    <div className="mt-1.5 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line-strong bg-surface px-3 py-2">
      <output id={id} className="min-w-0 wrap-anywhere tabular-nums">
        {name}
        {file && table && <span className="text-ink-soft"> · {table.rows.length}행</span>}
        {hasSheets && !source && (
          <span className="text-ink-soft">
            {' '}
            · 시트 ‘{table.sheets[table.sheet]}’. 다른 시트를 보려면 파일을 다시 선택하세요
          </span>
        )}
        {file && !file.isKept && (
          <span className="block text-sm text-notice">
            큰 파일이어서 임시 저장하지 않습니다. 이 화면을 나가면 파일을 다시 선택해야 합니다.
          </span>
        )}
      </output>
      <div className="flex flex-wrap items-center gap-2">
        {source && hasSheets && (
          <SelectField
            className="min-w-36"
            label="시트"
            isLabelHidden
            size="sm"
            options={table.sheets.map((label, value) => ({ value, label }))}
            value={table.sheet}
            onChange={(sheet) => given.give({ file: source, sheet }, isHeld)}
          />
        )}
        <Button variant="outline" size="sm" onClick={given.clear}>
          지우기
        </Button>
      </div>
    </div>
  );
}

export function FileButton({
  label,
  isSmall = false,
  onChoose,
}: {
  label: string;
  isSmall?: boolean;
  onChoose: (file: File | undefined) => void;
}) {
  return (
    <label
      className={`relative inline-flex cursor-pointer items-center rounded-md border border-line-strong bg-surface font-semibold ${isSmall ? 'min-h-9 px-3 text-sm pointer-coarse:min-h-11' : 'min-h-11 px-5'} hover:border-accent hover:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent`}
    >
      파일 선택
      <input
        type="file"
        accept={FILES}
        aria-label={`${label} 파일 선택`}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0]);
          // Without this reset, choosing the same file again fires no event.
          currentTarget.value = '';
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </label>
  );
}

/** Props of an element that accepts dropped files; an outline shows while a file is over the element. */
export function useFileDrop(give: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  return {
    className: `rounded-md ${isOver ? 'outline-2 outline-offset-4 outline-accent outline-dashed' : ''}`,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const [file, second] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      give(file);
      if (second) showToast(`파일은 하나씩 읽습니다. ${file.name}만 읽었습니다`);
    },
  };
}
