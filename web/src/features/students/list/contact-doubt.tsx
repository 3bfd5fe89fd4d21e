import { Button } from '../../../components/ui/button.tsx';
import { fieldName } from '../import/roster-kind.ts';
import type { Doubt } from '../import/doubtful-contacts.ts';

type Props = { doubt: Doubt | undefined; onRepair: (field: Doubt['field'], text: string) => void };

/** What looks wrong in a contact, as an import flags it. It can be saved as it is. */
export function ContactDoubt({ doubt, onRepair }: Props) {
  const { field, reason, repair } = doubt ?? {};
  return (
    <div aria-live="polite" className="mt-1.5 flex flex-wrap items-center gap-x-2 text-sm text-notice">
      {reason}
      {field !== undefined && repair !== undefined && (
        <Button
          variant="outline"
          size="sm"
          aria-label={`${fieldName(field)} ${repair}로 바꾸기`}
          onClick={() => onRepair(field, repair)}
        >
          {repair}
        </Button>
      )}
    </div>
  );
}
