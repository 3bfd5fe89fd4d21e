import { Button } from '../ui/button.tsx';
import type { CheckedRow, Flag, ImportField } from './import-kind.ts';

type Props<Field extends string> = {
  id: string;
  row: CheckedRow<Field, unknown>;
  fields: readonly ImportField<Field>[];
  onCorrect: (line: number, field: Field, text: string) => void;
};

/** What should be looked at in a row, with the repairs that are suggested. */
export function FlagList<Field extends string>({ id, row, fields, onCorrect }: Props<Field>) {
  const { line, errors, doubts } = row;
  if (errors.length + doubts.length === 0) return null;
  const item = (flag: Flag<Field>, isError: boolean) => {
    const { field, reason, repair } = flag;
    const label = fields.find(({ name }) => name === field)?.label;
    return (
      <li
        key={`${field} ${reason}`}
        className={`flex flex-wrap items-center gap-x-2 ${isError ? 'text-danger' : 'text-notice'}`}
      >
        {isError || label === undefined ? reason : `${label}: ${reason}`}
        {field !== undefined && repair !== undefined && (
          <Button
            variant="outline"
            size="sm"
            aria-label={`${line}행 ${label} ${repair}로 바꾸기`}
            onClick={() => onCorrect(line, field, repair)}
          >
            {repair}
          </Button>
        )}
      </li>
    );
  };
  return (
    <ul id={id} className="space-y-1">
      {errors.map((flag) => item(flag, true))}
      {doubts.map((flag) => item(flag, false))}
    </ul>
  );
}
