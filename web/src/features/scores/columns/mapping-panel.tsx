import { memo, useMemo } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import type { PastedTable } from '../../../lib/paste-table.ts';
import { suggestedWeighting } from '../weights/weighting-offer.ts';
import { type ChangeWork, withWeighting } from '../work.ts';
import { columnName, type ClassField, CLASS_FIELDS, type ColumnMapping } from './class-list.ts';
import { withColumn, scoreCandidates, withHeader } from './columns.ts';
import { TITLE_ROWS_MAX } from '../../../lib/paste-table.ts';

const fieldLabels: Record<ClassField, string> = {
  name: '이름',
  id: '학번',
  score: '점수',
  attendance: '출석',
  late: '지각',
  tieBreak: '동점자 우선 기준',
};

const NONE = -1;

const CHOICE = 'min-w-0 [&_button]:overflow-hidden';

type Props = { table: PastedTable; mapping: ColumnMapping; change: ChangeWork; onWeigh: () => void };

/** Shows and corrects the detected field of each column. */
export const MappingPanel = memo(function MappingPanel({ table, mapping, change, onWeigh }: Props) {
  const width = table.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: width }, (_, column) => ({
    value: column,
    label: columnName(table, mapping, column),
  }));
  const isWeighable = useMemo(
    () => mapping.columns.score !== undefined && scoreCandidates(table, mapping).length > 1,
    [table, mapping],
  );
  const headers = Array.from({ length: Math.min(TITLE_ROWS_MAX, table.length) }, (_, row) => ({
    value: row,
    label: `${row + 1}행`,
  }));
  const setColumn = (field: ClassField, column: number) => {
    change(`${fieldLabels[field]} 열 선택`, (work) =>
      withColumn(work, field, column === NONE ? undefined : column),
    );
  };
  return (
    <section aria-label="열" className="@container">
      <div className="grid grid-cols-2 gap-x-3 gap-y-3 @lg:grid-cols-4 @3xl:grid-cols-7">
        {CLASS_FIELDS.map((field) => (
          <SelectField
            key={field}
            className={CHOICE}
            label={fieldLabels[field]}
            name={`${fieldLabels[field]} 열`}
            size="sm"
            options={[{ value: NONE, label: '없음' }, ...columns]}
            value={mapping.columns[field] ?? NONE}
            onChange={(column) => setColumn(field, column)}
          />
        ))}
        <SelectField
          className={CHOICE}
          label="머리글"
          size="sm"
          options={[{ value: NONE, label: '없음' }, ...headers]}
          value={mapping.header ?? NONE}
          onChange={(row) =>
            change('머리글 선택', (work) => withHeader(work, row === NONE ? undefined : row))
          }
        />
      </div>
      {isWeighable && (
        <Button
          variant="outline"
          size="sm"
          className="mt-3"
          onClick={() => {
            onWeigh();
            change('반영 비율로 합산', (work) => withWeighting(work, suggestedWeighting(table, mapping)));
          }}
        >
          여러 열을 반영 비율로 합산
        </Button>
      )}
    </section>
  );
});
