import { cleanTable, hasContent, readText, type ReadRows, type RowOptions } from '../paste-table.ts';
import { kindOf } from './file-kind.ts';
import { textOf } from './text-of.ts';
import {
  TableRefusal,
  type ReadTable,
  type Refused,
  type Remarks,
  type TableSource,
} from './table-source.ts';

const NO_REMARKS: Remarks = { hiddenRows: 0, hiddenColumns: 0, merged: 0, uncomputed: 0 };

/** The worker's part of readTable(). */
export async function tableOf(source: TableSource, options: RowOptions): Promise<ReadTable | Refused> {
  if ('text' in source)
    return { ...readText(source.text, options), sheets: [], sheet: 0, remarks: NO_REMARKS };
  const { file, ...chosen } = source;
  const bytes = await bytesOf(file);
  if (!bytes) return { refusal: '파일이 바뀌었거나 옮겨졌습니다. 다시 선택하세요.' };
  const kind = kindOf(file.name, bytes);
  if ('refusal' in kind) return kind;
  try {
    if (kind.kind === 'text') return readTextFile(bytes, file.name, options);
    // The largest part of all, and a paste needs none of it.
    const { readHtml, readOldWorkbook, readWorkbook } = await import('./workbook.ts');
    const { rows, ...rest } =
      kind.kind === 'html'
        ? readHtml(textOf(bytes) ?? '')
        : await (kind.kind === 'xls' ? readOldWorkbook(bytes, chosen) : readWorkbook(bytes, chosen));
    return { ...fromFirstCell(cleanTable(rows, options)), ...rest };
  } catch (error) {
    if (error instanceof TableRefusal) return { refusal: error.message };
    return {
      refusal:
        '손상되었거나 읽을 수 없는 엑셀 파일입니다. 엑셀에서 열어 다시 저장하거나 표를 복사해 붙여넣으세요.',
    };
  }
}

function readTextFile(bytes: Uint8Array, name: string, options: RowOptions): ReadTable {
  const text = textOf(bytes);
  if (text === undefined)
    throw new TableRefusal('글자를 알아볼 수 없는 파일입니다. 엑셀 파일(.xlsx)이나 CSV로 저장하세요.');
  const read = readText(text, { ...options, isCsv: /\.csv$/i.test(name) });
  return { ...fromFirstCell(read), sheets: [], sheet: 0, remarks: NO_REMARKS };
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

/** A table may begin anywhere in its sheet; what is copied of it begins with its first cell. */
function fromFirstCell({ rows, doubtful }: ReadRows): ReadRows {
  const top = Math.max(0, rows.findIndex(hasContent));
  let left = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const first = row.findIndex((cell) => cell !== '');
    if (first !== -1) left = Math.min(left, first);
  }
  return {
    rows: rows.slice(top).map((row) => row.slice(left)),
    doubtful: doubtful.map((at) => at - top),
  };
}
