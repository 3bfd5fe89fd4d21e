import { seoulDay } from '#contract/time';
import { dateProblem, type BookedEntry } from '#contract/ledger';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useHeldFocus } from '../../../components/held-focus.ts';
import { Button } from '../../../components/ui/button.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useKeptText } from '../../../components/use-kept.ts';
import { Label } from '../../../components/ui/label.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { numberIn } from '../../../lib/form-problems.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { useImportRun } from './import-flow.ts';
import { findTwins } from './import-plan.ts';
import { IMPORT_ROWS, isOneColumn, readLedgerPaste, readRow, type Cells } from './ledger-paste.ts';
import { ImportPreview } from './import-preview.tsx';
import { ImportProgress } from './import-progress.tsx';
import { LedgerImports } from './ledger-imports.tsx';
import { RowCorrections } from './row-corrections.tsx';

/** What was done to the pasted rows, by line. */
type Changes = {
  corrected: ReadonlyMap<number, Cells>;
  left: ReadonlySet<number>;
  flipped: ReadonlySet<number>;
};
const unchanged: Changes = { corrected: new Map(), left: new Set(), flipped: new Set() };

export function ImportTab({ entries }: { entries: BookedEntry[] }) {
  const id = useId();
  const part = useHeldFocus<HTMLElement>();
  const { text, setText, restored } = useKeptText('account/import');
  const [today] = useState(() => seoulDay(serverNow()));
  const { text: yearText, setText: setYearText } = useKeptText('account/import/year');
  const [changes, setChanges] = useState(unchanged);
  const { run, isSending, hasFailed, start, goOn, stop, forget } = useImportRun(() => {
    setText('');
    setChanges(unchanged);
  });
  const year = yearText.trim() === '' ? undefined : numberIn(yearText);
  const isYear = year === undefined || dateProblem(`${year}-12-31`, today) === undefined;
  // The field stays quick while a long text is read.
  const readText = useDeferredValue(text);
  const rows = useMemo(() => {
    if (!isYear) return [];
    return readLedgerPaste(readText, today, year)
      .filter(({ line }) => !changes.left.has(line))
      .map((row) => {
        const cells = changes.corrected.get(row.line);
        return cells ? readRow(row.line, cells, today, year) : row;
      });
  }, [readText, today, year, isYear, changes.corrected, changes.left]);
  const good = useMemo(() => rows.filter(({ entry }) => entry !== undefined), [rows]);
  const bad = useMemo(() => rows.filter(({ entry }) => entry === undefined), [rows]);
  const twins = useMemo(() => findTwins(good, entries), [good, entries]);
  const chosen = good.filter(
    ({ line }) => (twins.get(line)?.likeness !== 'same') !== changes.flipped.has(line),
  );
  const isTooLong = rows.length > IMPORT_ROWS;

  if (run) {
    return (
      <section aria-label="가져오기" tabIndex={-1} {...part}>
        <ImportProgress
          run={run}
          isSending={isSending}
          hasFailed={hasFailed}
          onStop={stop}
          onGoOn={goOn}
          onForget={forget}
        />
      </section>
    );
  }
  return (
    <section aria-label="가져오기" tabIndex={-1} className="space-y-6" {...part}>
      <div className="space-y-4">
        <DraftNote {...restored} />
        <TextField
          className="w-40"
          label="연도"
          inputMode="numeric"
          autoComplete="off"
          value={yearText}
          placeholder="자동"
          error={isYear ? undefined : '연도를 올바르게 입력하세요'}
          onChange={(event) => setYearText(event.target.value)}
        />
        <div>
          <Label htmlFor={id}>붙여넣을 표</Label>
          <textarea
            id={id}
            aria-describedby={`${id}-hint`}
            rows={6}
            wrap="off"
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChanges(unchanged);
            }}
            className="mt-1.5 block w-full overflow-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm text-ink"
          />
          <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
            날짜, 내용, 금액 순서로 복사해 붙여넣으세요. 쉼표로 나뉜 CSV도 됩니다. 제목 줄이 있으면 순서는
            상관없고, 은행처럼 입금액과 출금액이 따로 있어도 됩니다. 부호가 없는 금액은 입금, -12,000 ·
            (12,000) · △12,000은 출금입니다. 연도가 없는 날짜는 위의 연도로, 비어 있으면 가장 가까운 지난
            날짜로 읽습니다.
          </p>
        </div>
      </div>
      {isTooLong && (
        <p role="alert" className="rounded-md bg-danger-wash px-4 py-3 text-danger">
          한 번에 {IMPORT_ROWS.toLocaleString('ko')}행까지 가져올 수 있습니다.
        </p>
      )}
      {isOneColumn(rows) && (
        <p role="alert" className="rounded-md bg-notice-wash px-4 py-3 text-notice">
          열이 하나뿐이어서 표로 읽을 수 없습니다. 표에서 복사하거나 쉼표로 나뉜 CSV를 붙여넣으세요. CSV에서
          쉼표가 든 칸은 &quot;50,000&quot;처럼 따옴표로 감싸야 합니다.
        </p>
      )}
      {bad.length > 0 && !isTooLong && (
        <RowCorrections
          rows={bad}
          onCorrect={(line, cells) =>
            setChanges({ ...changes, corrected: new Map(changes.corrected).set(line, cells) })
          }
          onLeaveOut={(lines) => setChanges({ ...changes, left: changes.left.union(new Set(lines)) })}
        />
      )}
      {good.length > 0 && !isTooLong && (
        <ImportPreview
          rows={good}
          today={today}
          twins={twins}
          chosen={new Set(chosen.map(({ line }) => line))}
          onFlip={(line) =>
            setChanges({ ...changes, flipped: changes.flipped.symmetricDifference(new Set([line])) })
          }
        />
      )}
      {rows.length > 0 && !isTooLong && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            disabled={bad.length > 0 || chosen.length === 0 || text !== readText}
            onClick={() => start(chosen.flatMap(({ entry }) => entry ?? []))}
          >
            {chosen.length}건 추가
          </Button>
          {bad.length > 0 && (
            <p className="text-sm text-ink-soft">읽을 수 없는 행을 고치거나 제외하면 추가할 수 있습니다.</p>
          )}
        </div>
      )}
      {text.trim() !== '' && readText === text && rows.length === 0 && isYear && (
        <p className="rounded-md bg-notice-wash px-4 py-3 text-notice">데이터 없음</p>
      )}
      <LedgerImports />
    </section>
  );
}
