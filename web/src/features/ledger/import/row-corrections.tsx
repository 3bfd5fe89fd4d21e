import { ENTRY_TEXT_FIELDS, ENTRY_TEXTS } from '#contract/ledger';
import { useId, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { Cells, Field, PastedRow } from './ledger-paste.ts';

type Props = {
  rows: PastedRow[];
  onCorrect: (line: number, cells: Cells) => void;
  onLeaveOut: (lines: number[]) => void;
};

/** Shown at once; the next ones follow as these are resolved. */
const SHOWN = 50;
/** Rows that could not be parsed, to be corrected in place or left out. */
export function RowCorrections({ rows, onCorrect, onLeaveOut }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-md border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="font-semibold text-danger">
          읽을 수 없는 행 {rows.length}개
        </h2>
        <Button
          variant="destructive-ghost"
          size="sm"
          onClick={() => onLeaveOut(rows.map(({ line }) => line))}
        >
          모두 제외
        </Button>
      </div>
      <ul className="mt-3 divide-y divide-line">
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row.line} className="py-3">
            <RowCorrection
              row={row}
              onCorrect={(cells) => onCorrect(row.line, cells)}
              onLeaveOut={() => onLeaveOut([row.line])}
            />
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p className="text-sm text-ink-soft">외 {rows.length - SHOWN}행</p>}
    </section>
  );
}

type RowProps = { row: PastedRow; onCorrect: (cells: Cells) => void; onLeaveOut: () => void };

/** Parsed again only on submit, because half-typed text may already look like an amount. */
function RowCorrection({ row: { line, cells, problems }, onCorrect, onLeaveOut }: RowProps) {
  const id = useId();
  const [draft, setDraft] = useState(cells);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCorrect(draft);
  };
  const input = (name: Field, label: string) => (
    <div key={name}>
      <input
        aria-label={`${line}행 ${label}`}
        aria-invalid={problems[name] === undefined ? undefined : true}
        aria-describedby={problems[name] === undefined ? undefined : `${id}-${name}`}
        value={draft[name]}
        autoComplete="off"
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
        className={`block min-h-9 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm aria-invalid:border-danger ${name === 'amount' ? 'text-right tabular-nums' : ''}`}
      />
      {problems[name] !== undefined && (
        <p id={`${id}-${name}`} className="mt-1 text-xs text-danger">
          {problems[name]}
        </p>
      )}
    </div>
  );
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={`${line}행`}
      className="grid grid-cols-[3rem_minmax(0,1fr)] items-start gap-2 sm:grid-cols-[3rem_9rem_minmax(0,1fr)_14rem_auto]"
    >
      <span className="row-span-3 pt-1.5 text-sm text-ink-soft tabular-nums sm:row-span-1">{line}행</span>
      {input('date', '날짜')}
      <div className="grid gap-2">
        {ENTRY_TEXTS.map((name) => input(name, ENTRY_TEXT_FIELDS[name].label))}
      </div>
      {input('amount', '금액')}
      <div className="col-start-2 flex gap-1 sm:col-start-auto">
        <Button type="submit" variant="outline" size="sm" aria-label={`${line}행 고치기`}>
          고치기
        </Button>
        <Button variant="destructive-ghost" size="sm" aria-label={`${line}행 제외`} onClick={onLeaveOut}>
          제외
        </Button>
      </div>
    </form>
  );
}
