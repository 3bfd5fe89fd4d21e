import { closeToast } from '../../lib/toast.ts';
import type { Toast as ToastText } from '../../lib/toasts.ts';
import { Toast, ToastClose, ToastDescription, ToastProvider, ToastViewport } from './toast.tsx';

const DURATION_MS = 6000;
/** Leaves time to read a request id aloud or copy it. */
const DURATION_WITH_ID_MS = 20_000;

/** Toasts are in Korean, those of public pages in the reader's language. */
export function Toaster({ toasts }: { toasts: ToastText[] }) {
  return (
    <ToastProvider label="알림" swipeDirection="down">
      {toasts.map(({ id, text, lang, requestId }) => (
        <Toast
          key={id}
          lang={lang}
          duration={requestId === undefined ? DURATION_MS : DURATION_WITH_ID_MS}
          onOpenChange={(open) => {
            if (!open) closeToast(id);
          }}
        >
          <div>
            <ToastDescription>{text}</ToastDescription>
            {requestId !== undefined && (
              <p className="text-sm opacity-80 select-all">
                {lang === 'ko' ? '관리자에게 알려 줄 요청 번호' : 'Request number for the administrator'}{' '}
                <span className="font-mono whitespace-nowrap">{requestId}</span>
              </p>
            )}
          </div>
          <ToastClose>{lang === 'ko' ? '닫기' : 'Close'}</ToastClose>
        </Toast>
      ))}
      <ToastViewport label="알림 ({hotkey})" />
    </ToastProvider>
  );
}
