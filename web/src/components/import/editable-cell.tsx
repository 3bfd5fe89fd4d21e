import { useEffect, useLayoutEffect, useRef, useState } from 'react';

type Props = {
  /** The accessible name: `3행 연락처`. */
  name: string;
  text: string;
  maxLength?: number | undefined;
  /** Colour of the cell: red for an error, yellow for a doubt, otherwise plain. */
  tone: 'danger' | 'notice' | undefined;
  noteId: string | undefined;
  onCorrect: (text: string) => void;
};

const tones = {
  danger: 'bg-danger-wash text-danger',
  notice: 'bg-notice-wash text-notice',
} as const;

/** A cell that becomes an input when pressed. Enter and leaving it save the change, Escape discards it. */
export function EditableCell({ name, text, maxLength, tone, noteId, onCorrect }: Props) {
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isBack = useRef(false);
  // A layout effect, because it must run before the table moves the lost focus to itself (keep-focus.ts).
  useLayoutEffect(() => {
    if (!isEdited && isBack.current) button.current?.focus({ preventScroll: true });
    isBack.current = false;
  }, [isEdited]);
  const close = (next: string, isByKey: boolean) => {
    isBack.current = isByKey;
    setEdited(false);
    if (next.trim() !== text) onCorrect(next.trim());
  };
  if (isEdited) return <CellField name={name} text={text} maxLength={maxLength} onClose={close} />;
  return (
    <button
      ref={button}
      type="button"
      // Marks a button whose text is copied along with its row, unlike other buttons.
      data-value
      aria-label={`${name} ${text || '빈 칸'} 수정`}
      aria-describedby={noteId}
      onClick={() => setEdited(true)}
      className={`-mx-1.5 min-h-8 min-w-8 cursor-text rounded-sm sm:whitespace-nowrap px-1.5 text-left hover:outline hover:outline-line-strong ${tone ? tones[tone] : ''}`}
    >
      {text}
    </button>
  );
}

type FieldProps = Pick<Props, 'name' | 'text' | 'maxLength'> & {
  onClose: (text: string, isByKey: boolean) => void;
};

function CellField({ name, text, maxLength, onClose }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isClosed = useRef(false);
  useEffect(() => field.current?.select(), []);
  /** The input fires another blur event when it is removed. */
  const close = (next: string, isByKey: boolean) => {
    if (!isClosed.current) onClose(next, isByKey);
    isClosed.current = true;
  };
  return (
    <input
      ref={field}
      aria-label={name}
      defaultValue={text}
      maxLength={maxLength}
      autoComplete="off"
      onBlur={({ target }) => close(target.value, false)}
      onKeyDown={(event) => {
        const { key, currentTarget, nativeEvent } = event;
        // Enter may end a Korean syllable that is still being composed.
        if (nativeEvent.isComposing || (key !== 'Enter' && key !== 'Escape')) return;
        // Otherwise the same key press would open the cell again, because the cell gets the focus.
        event.preventDefault();
        if (key === 'Enter') close(currentTarget.value, true);
        if (key === 'Escape') close(text, true);
      }}
      className="-mx-1.5 min-h-8 w-full min-w-32 rounded-sm border border-line-strong bg-surface px-1.5"
    />
  );
}
