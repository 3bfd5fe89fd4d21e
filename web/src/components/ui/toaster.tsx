import { closeToast } from '../../lib/toast.ts';
import type { Toast as ToastText } from '../../lib/toasts.ts';
import { Toast, ToastClose, ToastDescription, ToastProvider, ToastViewport } from './toast.tsx';

const DURATION_MS = 6000;
/** Leaves time to read a request id aloud or copy it. */
const DURATION_WITH_ID_MS = 20_000;

/** Toasts are always in Korean. */
export function Toaster({ toasts }: { toasts: ToastText[] }) {
  return (
    <ToastProvider label="알림" swipeDirection="down">
      {toasts.map(({ id, text, requestId }) => (
        <Toast
          key={id}
          lang="ko"
          duration={requestId === undefined ? DURATION_MS : DURATION_WITH_ID_MS}
          onOpenChange={(open) => {
            if (!open) closeToast(id);
          }}
        >
          <div>
            <ToastDescription>{text}</ToastDescription>
            {requestId !== undefined && (
              <p className="text-sm opacity-80 select-all">
                관리자에게 알려 줄 요청 번호 <span className="font-mono whitespace-nowrap">{requestId}</span>
              </p>
            )}
          </div>
          <ToastClose>닫기</ToastClose>
        </Toast>
      ))}
      <ToastViewport label="알림 ({hotkey})" />
    </ToastProvider>
  );
}
