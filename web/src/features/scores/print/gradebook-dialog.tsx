import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import type { PastedTable } from '../../../lib/paste-table.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { type Gradebook, gradebookFile } from '../../../lib/gradebook.ts';
import type { GradedClass, GradedRow } from '../grading/graded-class.ts';
import { scoreForGrade, gradeText, type GradeNotation } from '../grading/grades.ts';
import { ExcessList } from '../grading/seats-table.tsx';

export const systemNames = { canvas: 'Canvas', moodle: 'Moodle' } as const;

const contents = {
  scores: { label: '점수', name: '최종 점수', override: 'Override Score' },
  grades: { label: '학점', name: '최종 학점', override: 'Override Grade' },
  generated: { label: '환산 점수', name: '환산 점수', override: 'Override Score' },
} as const;
type Content = keyof typeof contents;

const FULL = 100;

type Props = {
  table: PastedTable;
  gradebook: Gradebook;
  graded: GradedClass;
  style: GradeNotation;
  course: string;
  returnFocusTo: HTMLElement;
  onClose: () => void;
};

/** Saves the gradebook that the user has imported, with an additional column for the result. */
export function GradebookDialog({ table, gradebook, graded, style, course, returnFocusTo, onClose }: Props) {
  const [content, setContent] = useState<Content>('scores');
  const system = systemNames[gradebook.system];
  const { excess } = graded.graded;
  const nameOf = (chosen: Content) => {
    const { name, override } = contents[chosen];
    return table[gradebook.header]?.includes(override) === true ? override : name;
  };
  const save = () => {
    const cells = new Map(
      graded.rows.flatMap((row): [number, string][] =>
        row.grade === undefined ? [] : [[row.row, cellOf(row, content, style)]],
      ),
    );
    const text = gradebookFile(table, gradebook, {
      name: nameOf(content),
      full: content === 'grades' ? undefined : FULL,
      cells,
    });
    saveFile(
      `${[gradebook.system, course, '성적'].filter((part) => part !== '').join('-')}.csv`,
      'text/csv',
      text,
    );
  };
  return (
    <ConfirmDialog
      title={`${system} 파일 저장`}
      submitLabel="저장"
      returnFocusTo={returnFocusTo}
      onClose={onClose}
      onSubmit={save}
    >
      <p>가져온 파일에 ‘{nameOf(content)}’ 열을 채워 저장합니다. 다른 열과 학생 번호는 그대로 둡니다.</p>
      <fieldset className="mt-3 space-y-1">
        <legend className="mb-1 font-semibold">채울 내용</legend>
        {(['scores', 'grades', 'generated'] as const).map((each) => (
          <label key={each} className="flex min-h-9 cursor-pointer items-center gap-2">
            <input
              type="radio"
              name="gradebook-content"
              className="size-4 accent-accent"
              checked={content === each}
              onChange={() => setContent(each)}
            />
            {contents[each].label}
          </label>
        ))}
      </fieldset>
      {content === 'grades' && nameOf(content) === contents.grades.name && gradebook.system === 'canvas' && (
        <p className="mt-2 text-notice">
          Canvas는 새 열에 숫자만 받을 수 있습니다. 학점을 넣으려면 Override Grade 열이 있는 파일을 내보내
          쓰세요.
        </p>
      )}
      {excess.length > 0 && (
        <div className="mt-2 text-danger">
          <p className="font-semibold">한도를 넘은 학점이 있습니다.</p>
          <ExcessList excess={excess} />
        </div>
      )}
    </ConfirmDialog>
  );
}

function cellOf({ grade, scoreCell, score }: GradedRow, content: Content, style: GradeNotation): string {
  if (grade === undefined) return '';
  if (content === 'grades') return gradeText(grade, style);
  if (content === 'generated') return String(scoreForGrade(grade));
  return score === undefined ? '' : scoreCell;
}
