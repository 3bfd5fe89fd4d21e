import { hasSideBySideTables } from '../../lib/paste-table.ts';
import type { ReadTable } from '../../lib/table-file/read-table.ts';
import { Button } from '../ui/button.tsx';

type Props = {
  table: Pick<ReadTable, 'rows' | 'doubtful' | 'sheets' | 'sheet' | 'remarks' | 'hasHidden'>;
  /** Set if no check step follows, which would flag the doubtful rows. */
  areLinesNamed?: boolean;
  onTakeHidden?: () => void;
};

/**
 * Notes about what the rows do not show: sheets that were not read, hidden rows and columns, merged cells,
 * struck-out text, comments, formats, formulas without a value, and ambiguous quotation marks.
 */
export function TableRemarks({ table, areLinesNamed = false, onTakeHidden }: Props) {
  const { rows, doubtful, sheets, sheet, remarks, hasHidden } = table;
  const { hiddenRows, hiddenColumns, hiddenSheets = [], merged, uncomputed, below = '' } = remarks;
  const { struckRows = [], struckParts = [], comments = [], drawnOtherwise = [] } = remarks;
  const hidden = [
    ...(hiddenRows > 0 ? [`${hiddenRows}행`] : []),
    ...(hiddenColumns > 0 ? [`${hiddenColumns}열`] : []),
  ].join(', ');
  const hiddenText = hasHidden ? `숨긴 ${hidden}도 포함했습니다` : `숨긴 ${hidden} 제외`;
  const hiddenPlaces = [
    ...(remarks.hiddenColumnNames ?? []),
    ...(remarks.hiddenRowNumbers ?? []).map((row) => `${row}행`),
  ];
  const lines: Line[] = [
    sheetsLine(sheets, sheet, onTakeHidden !== undefined),
    listing(
      '숨긴 시트는 읽지 않았습니다',
      hiddenSheets.map((name) => `‘${name}’`),
    ),
    ...(uncomputed > 0
      ? [{ text: `계산되지 않은 수식이 ${uncomputed}칸 있습니다. 엑셀에서 열어 저장한 뒤 다시 선택하세요.` }]
      : []),
    ...(merged > 0 ? [{ text: `병합된 셀 ${merged}개의 값을 그 셀이 걸친 모든 행에 넣었습니다.` }] : []),
    listing(
      '취소선이 그어진 행(시트의 맨 위부터)도 그대로 읽었습니다',
      struckRows.map((row) => `${row}행`),
    ),
    listing('취소선이 그어진 글자는 제외하고 읽었습니다', struckParts),
    ...(remarks.hasStruckText ? [{ text: '취소선이 그어진 글자도 그대로 읽었습니다.' }] : []),
    listing('서식 때문에 엑셀에 보이는 것과 다르게 읽은 칸이 있습니다', drawnOtherwise),
    listing('셀에 달린 메모는 읽지 않았습니다', comments),
    ...(hasSideBySideTables(rows)
      ? [
          {
            text: '표가 옆으로 반복되어 맨 왼쪽 표만 읽었습니다. 나머지는 그 아래로 옮겨 붙인 뒤 다시 넣으세요.',
          },
        ]
      : []),
    listing('표 아래의 글은 읽지 않았습니다', below === '' ? [] : [`‘${below}’`]),
    ...(doubtful.length > 0 && !areLinesNamed
      ? [
          {
            text: `따옴표(")를 두 가지로 읽을 수 있는 행이 ${doubtful.length}개 있습니다. 검토할 표에 표시합니다.`,
          },
        ]
      : []),
    listing(
      '따옴표(")를 두 가지로 읽을 수 있는 행(표의 맨 위부터)을 확인하세요',
      areLinesNamed ? doubtful.map((at) => `${at + 1}행`) : [],
    ),
  ].filter(({ text }) => text !== '');
  if (hidden === '' && lines.length === 0) return null;
  return (
    <ul className="mt-3 space-y-1 rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
      {hidden !== '' && (
        <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Remark {...(hiddenPlaces.length > 0 ? listing(hiddenText, hiddenPlaces) : { text: hiddenText })} />
          {!hasHidden && onTakeHidden && (
            <Button variant="outline" size="sm" onClick={onTakeHidden}>
              숨긴 것도 포함
            </Button>
          )}
        </li>
      )}
      {lines.map((line) => (
        <li key={line.text}>
          <Remark {...line} />
        </li>
      ))}
    </ul>
  );
}

/** A remark; `all` has what its text names only in part. */
type Line = { text: string; all?: readonly string[] };

function Remark({ text, all }: Line) {
  return (
    <div className="min-w-0 wrap-anywhere">
      {text}
      {all && all.length > 0 && (
        <details>
          <summary className="cursor-pointer">모두 보기</summary>
          <p className="whitespace-pre-line">{all.join(', ')}</p>
        </details>
      )}
    </div>
  );
}

const NAMED = 5;
const LONGEST_NAMED = 100;

/** Names the first items; the text is empty if there are none. */
function listing(before: string, items: readonly string[]): Line {
  const named = items.slice(0, NAMED).map(shortened);
  const isWhole = items.length <= NAMED && named.every((item, at) => item === items[at]);
  const text = items.length === 0 ? '' : `${before}: ${withOthers(named, items.length)}.`;
  return { text, all: isWhole ? [] : items };
}

const shortened = (text: string) =>
  text.length > LONGEST_NAMED ? `${text.slice(0, LONGEST_NAMED)}…${text.endsWith('’') ? '’' : ''}` : text;

const withOthers = (named: readonly string[], count: number) =>
  `${named.join(', ')}${count > named.length ? ` 외 ${count - named.length}개` : ''}`;

/** Says which sheet (or table of a web page) is read, and which others are not. */
export function sheetsLine(sheets: readonly string[], sheet: number, isChoice: boolean): Line {
  const others = sheets.filter((_, at) => at !== sheet).map((name) => `‘${name}’`);
  const read = `이 파일의 시트(표) ${sheets.length}개 가운데 ‘${sheets[sheet]}’만 읽었습니다. `;
  return listing(
    `${read}${isChoice ? '파일 이름 옆에서 다른 시트를 고를 수 있습니다. ' : ''}읽지 않은 것`,
    others,
  );
}
