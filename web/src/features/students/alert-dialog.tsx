import { Button } from '../../components/ui/button.tsx';
import { DialogFooter } from '../../components/ui/dialog.tsx';
import { DialogFrame } from '../../components/dialog-frame.tsx';

/** Shows an error until it is dismissed. */
export function AlertDialog({
  text,
  onClose,
  returnFocusTo,
}: {
  text: string;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
}) {
  return (
    <DialogFrame role="alertdialog" title={text} onClose={onClose} returnFocusTo={returnFocusTo}>
      <DialogFooter className="mt-6">
        <Button onClick={onClose}>확인</Button>
      </DialogFooter>
    </DialogFrame>
  );
}
