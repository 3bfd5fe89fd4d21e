import { useId, useState, type ChangeEvent, type ClipboardEvent, type DragEvent } from 'react';
import { showToast } from '../../lib/toast-queue.ts';
import { SelectField } from '../select-field.tsx';
import { Button } from '../ui/button.tsx';
import { Label } from '../ui/label.tsx';
import { TableRemarks } from './table-remarks.tsx';
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
      {given.refusal && (
        <p role="alert" className="mt-3 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {given.refusal.refusal}
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

/** Describes input that the text field does not show: a file, the file's sheet, or a long text. */
function GivenLine({ id, given, isHeld }: { id: string; given: TableInputState; isHeld: boolean }) {
  const { file, newest: table, text } = given;
  const { source } = file ?? {};
  const name = file ? file.name : `붙여넣은 표 ${text.split('\n').length}행`;
  const { sheets = [], sheet = 0 } = table ?? given.refusal ?? {};
  return (
    <div className="mt-1.5 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line-strong bg-surface px-3 py-2">
      <output id={id} className="min-w-0 wrap-anywhere tabular-nums">
        {name}
        {file && table && <span className="text-ink-soft"> · {table.rows.length}행</span>}
        {table && sheets.length > 1 && !source && (
          <span className="text-ink-soft">
            {' '}
            · 시트 ‘{sheets[sheet]}’. 다른 시트를 보려면 파일을 다시 선택하세요
          </span>
        )}
        {file && !file.isKept && (
          <span className="block text-sm text-notice">
            큰 파일이어서 임시 저장하지 않습니다. 이 화면을 나가면 파일을 다시 선택해야 합니다.
          </span>
        )}
      </output>
      <div className="flex flex-wrap items-center gap-2">
        {source && (
          <SheetField
            sheets={sheets}
            sheet={sheet}
            onChange={(other) => given.give({ file: source, sheet: other }, isHeld)}
          />
        )}
        <Button variant="outline" size="sm" onClick={given.clear}>
          지우기
        </Button>
      </div>
    </div>
  );
}

/** The choice of the sheet to read; nothing if there is no other. */
export function SheetField(props: {
  sheets: readonly string[];
  sheet: number;
  onChange: (sheet: number) => void;
}) {
  const { sheets, sheet, onChange } = props;
  if (sheets.length < 2) return null;
  return (
    <SelectField
      className="min-w-36"
      label="시트"
      isLabelHidden
      size="sm"
      options={sheets.map((label, value) => ({ value, label }))}
      value={sheet}
      onChange={onChange}
    />
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
