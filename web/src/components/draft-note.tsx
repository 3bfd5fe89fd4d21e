import { Button } from './ui/button.tsx';
import type { Restored } from './use-kept.ts';

/** Says that a form or field shows what was typed earlier, and lets it be discarded. Stands in the form's `<form>`. */
export function DraftNote({ isRestored, onDiscard }: Restored) {
  if (!isRestored) return null;
  return (
    <p data-draft-note className="flex flex-wrap items-center gap-x-1 text-sm text-ink-soft">
      작성하던 내용을 불러왔습니다 ·
      <Button
        variant="ghost"
        size="sm"
        className="px-1.5"
        onClick={({ currentTarget }) => {
          // The pressed button is about to disappear.
          currentTarget
            .closest('form, section, [role=tabpanel]')
            ?.querySelector<HTMLElement>('input:not([type=radio]):not([readonly]), textarea')
            ?.focus();
          onDiscard();
        }}
      >
        버리기
      </Button>
    </p>
  );
}
