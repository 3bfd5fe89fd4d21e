import { useId, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { Corrections, RowDoubt } from './doubtful-contacts.ts';
import { fieldNames } from './roster-paste.ts';

type Props = { doubts: RowDoubt[]; isBusy: boolean; onCorrect: (corrections: Corrections) => void };

/** Shown at once; the next ones follow as these are resolved. */
const SHOWN = 50;

const keyOf = ({ row, doubt }: RowDoubt) => `${row.id} ${doubt.field}`;

/** Suspicious contacts in importable rows, to be corrected in place or kept. */
export function DoubtList({ doubts, isBusy, onCorrect }: Props) {
  const id = useId();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map());
  const shown = doubts.slice(0, SHOWN);
  const repairable = doubts.filter(({ doubt }) => doubt.repair !== undefined);
  const correct = (textOf: (about: RowDoubt) => string | undefined) => {
    const corrections = new Map<string, { tel?: string; email?: string }>();
    for (const about of doubts) {
      const { row, doubt } = about;
      const text = textOf(about)?.trim();
      if (text === undefined || text === doubt.text) continue;
      corrections.set(row.id, { ...corrections.get(row.id), [doubt.field]: text });
    }
    if (corrections.size > 0) onCorrect(corrections);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) correct((about) => drafts.get(keyOf(about)));
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      aria-labelledby={id}
      className="mb-6 rounded-md border border-line p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={id} className="font-semibold text-notice">
          확인할 값 {doubts.length}개
        </h3>
        {repairable.length > 0 && (
          <Button
            variant="outline"
            size="sm"
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) correct(({ doubt }) => doubt.repair);
            }}
          >
            제안 {repairable.length}개 모두 반영
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-ink-soft">고치지 않으면 붙여넣은 그대로 저장됩니다.</p>
      <ul className="mt-3 divide-y divide-line">
        {shown.map((about) => {
          const key = keyOf(about);
          const { row } = about;
          const { field, text, reason, repair } = about.doubt;
          return (
            <li
              key={key}
              className="grid items-center gap-x-3 gap-y-1 py-2 text-sm sm:grid-cols-[12rem_16rem_minmax(0,1fr)]"
            >
              <span className="tabular-nums wrap-anywhere">
                {row.name} {row.id}
              </span>
              <input
                aria-label={`${row.name} ${row.id} ${fieldNames[field]}`}
                aria-describedby={`${id}-${key}`}
                value={drafts.get(key) ?? text}
                maxLength={field === 'tel' ? 50 : 200}
                autoComplete="off"
                onChange={({ target }) => setDrafts(new Map(drafts).set(key, target.value))}
                className="block min-h-9 w-full rounded-md border border-line-strong bg-surface px-2.5"
              />
              <span id={`${id}-${key}`} className="flex flex-wrap items-center gap-2 text-notice">
                {fieldNames[field]}: {reason}
                {repair !== undefined && (
                  <Button
                    variant="outline"
                    size="sm"
                    aria-label={`${row.name} ${row.id} ${fieldNames[field]} ${repair}로 바꾸기`}
                    onClick={() => setDrafts(new Map(drafts).set(key, repair))}
                  >
                    {repair}
                  </Button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {doubts.length > SHOWN && <p className="text-sm text-ink-soft">외 {doubts.length - SHOWN}개</p>}
      <Button type="submit" variant="outline" size="sm" className="mt-2" aria-disabled={isBusy}>
        고친 값 반영
      </Button>
    </form>
  );
}
