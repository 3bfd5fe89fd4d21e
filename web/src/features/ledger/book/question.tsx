import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../../components/ui/button.tsx';

type Props = {
  children: ReactNode;
  /** Submits the form again. */
  yes: string;
  no: string;
  isPending: boolean;
  onNo: () => void;
};

/** A question that a form asks in place of its button before it sends anything. Has the focus at once. */
export function Question({ children, yes, no, isPending, onNo }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div role="alert" className="space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
      <p>{children}</p>
      <div className="flex flex-wrap gap-2">
        <Button ref={button} type="submit" aria-disabled={isPending}>
          {yes}
        </Button>
        <Button variant="outline" onClick={onNo}>
          {no}
        </Button>
      </div>
    </div>
  );
}
