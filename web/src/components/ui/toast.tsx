import * as ToastPrimitive from '@radix-ui/react-toast';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { closeToast, shownToasts, type Toast } from '../../lib/toast-queue.ts';

const DURATION_MS = 6000;
/** Long enough to read a request id aloud or copy it. */
const DURATION_WITH_ID_MS = 20_000;

/** Toasts are in Korean; on public pages, they are in the reader's language. */
export function Toaster({ toasts }: { toasts: Toast[] }) {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ pathChanged }) => {
        if (!pathChanged) return;
        for (const { id, isOfScreen } of shownToasts()) if (isOfScreen) closeToast(id);
      }),
    [router],
  );
  return (
    <ToastPrimitive.Provider label="알림" swipeDirection="down">
      {toasts.map(({ id, text, lang, requestId }) => (
        <ToastPrimitive.Root
          key={id}
          data-slot="toast"
          className="flex items-center justify-between gap-4 rounded-md bg-ink py-2 pr-2 pl-5 text-paper shadow-lg data-[state=open]:animate-[rise-in_160ms_ease-out]"
          lang={lang}
          duration={requestId === undefined ? DURATION_MS : DURATION_WITH_ID_MS}
          onOpenChange={(open) => {
            if (!open) closeToast(id);
          }}
        >
          <div>
            <ToastPrimitive.Description>{text}</ToastPrimitive.Description>
            {requestId !== undefined && (
              <p className="text-sm opacity-80 select-all">
                {lang === 'ko' ? '관리자에게 알려 줄 요청 번호' : 'Request number for the administrator'}{' '}
                <span className="font-mono whitespace-nowrap">{requestId}</span>
              </p>
            )}
          </div>
          <ToastPrimitive.Close
            data-slot="toast-close"
            className="min-h-10 rounded-sm px-3 font-semibold whitespace-nowrap underline-offset-4 outline-offset-[-2px] hover:underline focus-visible:outline-paper"
          >
            {lang === 'ko' ? '닫기' : 'Close'}
          </ToastPrimitive.Close>
        </ToastPrimitive.Root>
      ))}
      <ToastPrimitive.Viewport
        data-slot="toast-viewport"
        className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-md flex-col gap-2 sm:top-2.5 sm:bottom-auto print:hidden"
        label="알림 ({hotkey})"
      />
    </ToastPrimitive.Provider>
  );
}
