import * as RadixToast from '@radix-ui/react-toast';
import { closeToast, type Toast } from '../../lib/toast.ts';

const DURATION_MS = 6000;
/** An id is read out to somebody, or copied. */
const DURATION_WITH_ID_MS = 20_000;

/** Toasts are Korean whatever the page's language. */
export default function Toaster({ toasts }: { toasts: Toast[] }) {
  return (
    <RadixToast.Provider label="알림" swipeDirection="down">
      {toasts.map(({ id, text, requestId }) => (
        <RadixToast.Root
          key={id}
          lang="ko"
          duration={requestId === undefined ? DURATION_MS : DURATION_WITH_ID_MS}
          onOpenChange={(open) => {
            if (!open) closeToast(id);
          }}
          className="flex items-center justify-between gap-4 rounded-md bg-ink py-2 pr-2 pl-5 text-paper shadow-lg data-[state=open]:animate-[rise-in_160ms_ease-out]"
        >
          <div>
            <RadixToast.Description>{text}</RadixToast.Description>
            {requestId !== undefined && (
              <p className="text-sm opacity-80 select-all">
                요청 번호 <span className="font-mono whitespace-nowrap">{requestId}</span>
              </p>
            )}
          </div>
          <RadixToast.Close className="min-h-10 rounded-sm px-3 font-semibold whitespace-nowrap underline-offset-4 outline-offset-[-2px] hover:underline focus-visible:outline-paper">
            닫기
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      <RadixToast.Viewport
        label="알림 ({hotkey})"
        className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-md flex-col gap-2 sm:bottom-6"
      />
    </RadixToast.Provider>
  );
}
