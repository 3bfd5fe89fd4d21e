import { cleanTable, hasContent, parsePaste, type PastedTable } from '../paste-table.ts';
import { refusalOf } from './file-kind.ts';
import { textOf } from './text-of.ts';
import {
  TableRefusal,
  type ReadTable,
  type Refused,
  type RowOptions,
  type TableSource,
} from './table-source.ts';

/** The worker's part of readTable(). */
export async function tableOf(source: TableSource, options: RowOptions): Promise<ReadTable | Refused> {
  if ('text' in source) return { rows: parsePaste(source.text, options), sheets: [], sheet: 0 };
  const { file, sheet } = source;
  const bytes = await bytesOf(file);
  if (!bytes) return { refusal: '파일이 바뀌었거나 옮겨졌습니다. 다시 선택하세요.' };
  const refusal = refusalOf(file.name, bytes);
  if (refusal !== undefined) return { refusal };
  if (!isZip(bytes)) {
    const text = textOf(bytes);
    if (text === undefined)
      return { refusal: '글자를 알아볼 수 없는 파일입니다. 엑셀 파일(.xlsx)이나 CSV로 저장하세요.' };
    const rows = parsePaste(text, { ...options, isCsv: /\.csv$/i.test(file.name) });
    return { rows: fromFirstCell(rows), sheets: [], sheet: 0 };
  }
  try {
    // The largest part of all, and a paste needs none of it.
    const { readWorkbook } = await import('./workbook.ts');
    const { rows, ...rest } = readWorkbook(bytes, sheet);
    return { rows: fromFirstCell(cleanTable(rows, options)), ...rest };
  } catch (error) {
    if (error instanceof TableRefusal) return { refusal: error.message };
    return {
      refusal:
        '손상되었거나 읽을 수 없는 엑셀 파일입니다. 엑셀에서 열어 다시 저장하거나 표를 복사해 붙여넣으세요.',
    };
  }
}

/** Undefined for a file that is no longer what was chosen: it was saved anew, moved or deleted meanwhile. */
async function bytesOf(file: File): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** A table may begin anywhere in its sheet; what is copied of it begins with its first cell. */
function fromFirstCell(rows: PastedTable): PastedTable {
  const top = Math.max(0, rows.findIndex(hasContent));
  let left = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const first = row.findIndex((cell) => cell !== '');
    if (first !== -1) left = Math.min(left, first);
  }
  return rows.slice(top).map((row) => row.slice(left));
}
