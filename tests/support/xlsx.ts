import { strToU8, zipSync } from 'fflate';

/**
 * A cell: a text; a number or date with its format (`~` at its end strikes the cell out); or a formula,
 * perhaps with its value. `of` has the attributes of a formula for several cells: `t="array" ref="B2:B4"`.
 */
export type XlsxCell =
  | string
  | { number: number | string; format?: string }
  | { formula: string; value?: number; format?: string; of?: string };
type Sheet = {
  name: string;
  rows: readonly (readonly XlsxCell[])[];
  isHidden?: true;
  isChart?: true;
  /** Places of rows and columns, from 0. */
  hiddenRows?: readonly number[];
  hiddenColumns?: readonly number[];
  merged?: readonly string[];
};

/** Differences between programs that write the same table. */
export type Writer = {
  /** Texts are in one list (Excel, Hancom Cell, LibreOffice and Google Sheets), or in each cell, perhaps in runs. */
  strings: 'shared' | 'inline' | 'runs';
  /** Whether rows and cells have their place as an attribute. */
  hasPlaces: boolean;
  /** The prefix of every element: `x:` as the Open XML SDK writes it. */
  prefix: '' | 'x:';
  /** The targets of relations: relative to the workbook, or from the root. */
  targets: 'relative' | 'absolute';
  is1904?: true;
  /** The program that opens the file must compute the formulas. */
  mustCompute?: true;
  /** The index of the sheet that was open. */
  open?: number;
};

export const writers: Readonly<Record<string, Writer>> = {
  'a desktop program': { strings: 'shared', hasPlaces: true, prefix: '', targets: 'relative' },
  'a web program': { strings: 'shared', hasPlaces: true, prefix: '', targets: 'absolute' },
  'formatted texts': { strings: 'runs', hasPlaces: true, prefix: '', targets: 'relative' },
  'a report generator': { strings: 'inline', hasPlaces: false, prefix: '', targets: 'relative' },
  'an SDK': { strings: 'inline', hasPlaces: true, prefix: 'x:', targets: 'absolute' },
};

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const DESKTOP: Writer = { strings: 'shared', hasPlaces: true, prefix: '', targets: 'relative' };

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A workbook as a program would save it. `others` are further files of the zip. */
export function xlsx(
  sheets: readonly Sheet[],
  writer: Writer = DESKTOP,
  others: Record<string, string> = {},
): Uint8Array<ArrayBuffer> {
  const { prefix: p, targets, is1904, mustCompute, open = 0 } = writer;
  const shared = new Map<string, number>();
  const formats = new Map([['General', 0]]);
  const indexIn = (list: Map<string, number>, value: string) => {
    const at = list.get(value) ?? list.size;
    list.set(value, at);
    return at;
  };
  const text = (value: string) =>
    writer.strings === 'runs'
      ? `<r><rPr/><t xml:space="preserve">${escaped(value.slice(0, 1))}</t></r><r><t xml:space="preserve">${escaped(value.slice(1))}</t></r><rPh sb="0" eb="1"><t>독음</t></rPh>`
      : `<${p}t xml:space="preserve">${escaped(value)}</${p}t>`;
  const cell = (value: XlsxCell, row: number, column: number) => {
    if (value === '' && writer.hasPlaces) return '';
    const place = writer.hasPlaces ? ` r="${letters(column)}${row + 1}"` : '';
    if (typeof value !== 'string' && 'formula' in value) {
      const result = value.value === undefined ? '' : `<${p}v>${value.value}</${p}v>`;
      const style = value.format === undefined ? '' : ` s="${indexIn(formats, value.format)}"`;
      const formula = `<${p}f${value.of ? ` ${value.of}` : ''}>${escaped(value.formula)}</${p}f>`;
      return `<${p}c${place}${style}>${formula}${result}</${p}c>`;
    }
    if (typeof value !== 'string') {
      const style = indexIn(formats, value.format ?? 'General');
      return `<${p}c${place} s="${style}"><${p}v>${value.number}</${p}v></${p}c>`;
    }
    if (writer.strings === 'inline')
      return `<${p}c${place} t="inlineStr"><${p}is>${text(value)}</${p}is></${p}c>`;
    return `<${p}c${place} t="s"><${p}v>${indexIn(shared, value)}</${p}v></${p}c>`;
  };
  const parts: Record<string, string> = { ...others };
  for (const [at, { rows, hiddenRows = [], hiddenColumns = [], merged = [] }] of sheets.entries()) {
    const columns = hiddenColumns.map(
      (column) => `<${p}col min="${column + 1}" max="${column + 1}" width="9" hidden="1"/>`,
    );
    const merges = merged.map((ref) => `<${p}mergeCell ref="${ref}"/>`);
    const lines = rows.map((cells, row) => {
      const hidden = hiddenRows.includes(row) ? ' hidden="1"' : '';
      const place = `${writer.hasPlaces ? ` r="${row + 1}"` : ''}${hidden}`;
      return `<${p}row${place}>${cells.map((value, column) => cell(value, row, column)).join('')}</${p}row>`;
    });
    const name = p === '' ? 'xmlns' : 'xmlns:x';
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${p}worksheet ${name}="${MAIN}">${columns.length > 0 ? `<${p}cols>${columns.join('')}</${p}cols>` : ''}<${p}sheetData>${lines.join('')}</${p}sheetData>${merges.length > 0 ? `<${p}mergeCells>${merges.join('')}</${p}mergeCells>` : ''}</${p}worksheet>`;
  }
  const folder = targets === 'absolute' ? '/xl/' : '';
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (list: string[]) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
  parts['[Content_Types].xml'] = `<Types xmlns="${PACKAGE}/content-types"/>`;
  parts['_rels/.rels'] = relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]);
  parts['xl/_rels/workbook.xml.rels'] = relations([
    relation('rId900', 'styles', `${folder}styles.xml`),
    relation('rId901', 'sharedStrings', `${folder}sharedStrings.xml`),
    ...sheets.map(({ isChart }, at) =>
      relation(
        `rId${at + 1}`,
        isChart ? 'chartsheet' : 'worksheet',
        `${folder}worksheets/sheet${at + 1}.xml`,
      ),
    ),
  ]);
  parts['xl/workbook.xml'] =
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><bookViews><workbookView activeTab="${open}"/></bookViews><sheets>${sheets
      .map(
        ({ name, isHidden }, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 7}"${isHidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets>${mustCompute ? '<calcPr fullCalcOnLoad="1"/>' : ''}</workbook>`;
  parts['xl/sharedStrings.xml'] =
    `<sst xmlns="${MAIN}">${[...shared.keys()].map((value) => `<si>${text(value)}</si>`).join('')}</sst>`;
  parts['xl/styles.xml'] = `<styleSheet xmlns="${MAIN}"><numFmts>${[...formats.keys()]
    .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code.replace(/~$/, ''))}"/>`)
    .join(
      '',
    )}</numFmts><fonts><font/><font><strike/></font></fonts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${[
    ...formats.keys(),
  ]
    .map(
      (code, at) =>
        `<xf numFmtId="${/^\d{1,2}$/.test(code) ? code : 164 + at}" fontId="${Number(code.endsWith('~'))}"/>`,
    )
    .join('')}</cellXfs></styleSheet>`;
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

function letters(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}
