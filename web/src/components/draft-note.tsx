import { Button } from './ui/button.tsx';
import type { Restored } from './use-kept.ts';

/**
 * Says that a form or field shows what was typed earlier, and lets it be discarded; and that the browser cannot keep what
 * is typed. Stands in the form's `<form>`.
 */
export function DraftNote({ isRestored, isRefused, onDiscard }: Restored) {
  if (isRefused)
    return (
      <p className="rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
        브라우저의 저장 공간이 부족해 임시 저장하지 못했습니다. 저장하기 전에 창을 닫지 마세요.
      </p>
    );
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
