import { useState } from 'react';
import { toTsv } from '../../lib/csv.ts';
import { readTable } from '../../lib/table-file/read-table.ts';

type Read = { file: File; text: string; sheets: readonly string[]; sheet: number };

/** A file's sheet as the text that a paste of it is, so that both are graded alike. */
export function useScoreFile(onText: (text: string) => void) {
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  /** What was read last. */
  const [read, setRead] = useState<Read>();
  const give = async (file: File, sheet: number) => {
    setReading(true);
    const table = await readTable({ file, sheet }, { keepEmptyRows: true });
    setReading(false);
    setRefusal('refusal' in table ? table.refusal : undefined);
    if ('refusal' in table) return;
    const text = toTsv(table.rows);
    setRead({ file, text, sheets: table.sheets, sheet: table.sheet });
    onText(text);
  };
  return {
    give: (file: File | undefined, sheet = 0) => {
      if (file) void give(file, sheet);
    },
    isReading,
    refusal,
    read,
  };
}
