import { subjectSchema, type Department, type Subject, type SubjectSemester } from '#contract/subjects';
import { useQuery, useMutation } from '@tanstack/react-query';
import { DraftNote } from '../../../components/draft-note.tsx';
import { TableInput } from '../../../components/import/table-input.tsx';
import { useTableInput, type InputTable } from '../../../components/import/use-table-input.ts';
import { FailedPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useAutosaved, useAutosavedText } from '../../../components/use-draft.ts';
import { DEPARTMENTS, departmentLabels, isGraduate, type SubjectTerm } from '../labels.ts';
import { seasonText } from '#contract/terms';
import {
  subjectsQuery,
  saveSubjectsMutation,
  timetableImportsQuery,
  undoTimetableImportMutation,
} from '../queries.ts';
import { useId, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { CheckTable, ImportFoot } from '../../../components/import/check-table.tsx';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import { titlesOfFile } from '../../../components/import/file-titles.ts';
import { MismatchQuestion } from '../../../components/import/mismatch-question.tsx';
import { chosenRows, excludedLines, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { selectableYears } from '../search-params.ts';
import { cancelledField } from '../merged.ts';
import { timetableKind } from '../timetable-kind.ts';
import { otherTimetable, partsOf, termsInRows, unreadTimes } from '../timetable-words.ts';
import { ImportList } from '../../../components/import/import-list.tsx';

const departmentOptions = DEPARTMENTS.map((value) => ({ value, label: departmentLabels[value] }));

type Props = {
  year: number;
  semester: SubjectSemester;
  first: Department;
  onTerm: (term: SubjectTerm) => void;
};

/** Imports the timetable of a department. The timetable replaces the subjects stored for the term. */
export function ImportView({ year, semester, first, onTerm }: Props) {
  const chosen = useAutosaved('subjects/import/department', () => ({ department: first }));
  const { department } = chosen.value;
  const term = { department, year, semester };
  const kept = useAutosavedText('subjects/import');
  const given = useTableInput('subjects/import', kept);
  const { table } = given;
  const stored = useQuery(subjectsQuery(term));
  return (
    <div className="space-y-4">
      <SelectField
        className="max-w-sm"
        label="학과"
        options={departmentOptions}
        value={department}
        onChange={(next) => chosen.change(() => ({ department: next }))}
      />
      <DraftNote {...given.restored} />
      <TableInput
        given={given}
        label="시간표"
        hint="머리글(열 이름이 있는 행)까지 필요합니다. 열 순서는 상관없습니다: 학과, 학수번호, 분반, 과목명, 학년, 이수구분, 학점, 교수, 강의시간, 강의실, 비고"
      />
      {stored.isError && !stored.data && (
        <FailedPart
          text={`${departmentLabels[department]} ${seasonText(term)}의 저장된 과목을 불러오지 못했습니다.`}
          onRetry={() => void stored.refetch()}
        />
      )}
      {table && (
        <TimetableCheck
          key={table.id}
          term={term}
          table={table}
          stored={stored.data}
          onOther={(other) => {
            onTerm(other);
            chosen.change(() => ({ department: other.department }));
          }}
          onCancel={given.cancel}
          onStored={() => {
            given.finish();
            kept.clear();
            chosen.restart({ department });
          }}
        />
      )}
      <TimetableImports />
    </div>
  );
}

const NO_ROWS: readonly never[] = [];
type DepartmentTerm = SubjectTerm & { department: Department };
type TimetableCheckProps = {
  term: DepartmentTerm;
  table: InputTable;
  /** The subjects stored for the term; undefined while unknown. */
  stored: readonly Subject[] | undefined;
  onOther: (term: DepartmentTerm) => void;
  onCancel: () => void;
  onStored: () => void;
};

/** Shows the subjects of a timetable, and asks before these subjects replace the term's stored subjects. */
function TimetableCheck({ term, table, stored, onOther, onCancel, onStored }: TimetableCheckProps) {
  const id = useId();
  const isOfGraduates = isGraduate(term.department);
  const kind = useMemo(() => timetableKind(isOfGraduates, table.rows), [isOfGraduates, table.rows]);
  const checked = useCheckedTable(kind, table);
  const { rows = NO_ROWS, left: leftByHand, ticks, columns } = checked;
  const [parts, left] = useMemo(() => {
    const found = partsOf(table.rows, columns, rows, term.department);
    const cancelled = rows.flatMap(({ line, row }) => (row && cancelledField(row.subject) ? [line] : []));
    const lines = [...cancelled, ...found.cancelled, ...found.others.flatMap(([, each]) => each)];
    return [found, excludedLines({ left: leftByHand, ticks }, lines)];
  }, [table.rows, columns, rows, term.department, leftByHand, ticks]);
  const { others } = parts;
  // Titles between the rows may divide the table by something else than departments, so all parts are named.
  const named =
    others.length === 0 && parts.titles.length > 0 && parts.lines.size > 1 ? [...parts.lines] : others;
  const otherTimes = useMemo(() => unreadTimes(table.rows, columns), [table.rows, columns]);
  const check = { ...checked, left };
  const { mutateAsync, isPending } = useMutation(saveSubjectsMutation);
  const [asked, setAsked] = useState<{ from: HTMLElement }>();
  const subjects = chosenRows(check).map(({ subject }) => subject);
  const unstored = rows.length - subjects.length;
  const hasStored = stored !== undefined && stored.length > 0;
  const ids = new Set<string>();
  const repeated = subjects.find((each) => ids.size === ids.add(each.id).size)?.id;
  const where = `${departmentLabels[term.department]} ${seasonText(term)}`;
  const words = titlesOfFile(table, columns.headerAt);
  const inRows = useMemo(
    () => termsInRows(table.rows.slice(columns.headerAt)),
    [table.rows, columns.headerAt],
  );
  const titles = [...words.titles, inRows];
  const said = otherTimetable(term, { ...words, titles: [...titles, parts.titles] }, parts.departments);
  const isSure = check.extras[where] === true;
  const department = said?.name === undefined ? term.department : said.department;
  const other = said && department && { ...term, ...said.term, department };
  const isOffered = other && said.words === undefined && selectableYears(serverNow()).includes(other.year);
  const otherName = other && `${departmentLabels[other.department]} ${seasonText(other)}`;
  return (
    <section aria-labelledby={`${id}-title`} className="mt-10">
      <h2 id={`${id}-title`} className="text-lg font-bold">
        {where} 미리보기
      </h2>
      <ColumnChoice check={check} />
      {check.rows && (
        <div className="mt-4 space-y-3">
          {said && (
            <MismatchQuestion
              question={`${where} 시간표가 맞습니까?`}
              reasons={[
                ...(said.name === undefined ? [] : [`시간표에 적힌 학과: ${said.name}`]),
                ...(said.term ? [`시간표에 적힌 학기: ${seasonText(said.term)}`] : []),
                ...(said.words === undefined ? [] : [`시간표에 적힌 학기: ${said.words}`]),
              ]}
              answer={`${where} 시간표가 맞습니다`}
              isSure={isSure}
              onSure={(isTicked) => check.tickExtra(where, isTicked)}
              other={
                isOffered
                  ? { label: `${otherName} 시간표로 변경`, onChoose: () => onOther(other) }
                  : undefined
              }
            />
          )}
          {otherTimes.length > 0 && (
            <p className="rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
              읽지 않은 열에도 강의시간이 있습니다: {otherTimes.join(', ')}. 그 시간에도 수업하면 강의시간
              칸에 이어 적으세요.
            </p>
          )}
          {named.length > 0 && (
            <fieldset className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
              <legend className="sr-only">{others.length > 0 ? '다른 학과의 행' : '제목별 행'}</legend>
              <p>
                {others.length === 0
                  ? '제목으로 나뉜 시간표입니다. 저장하지 않을 부분은 체크를 푸세요.'
                  : others.length === parts.lines.size
                    ? `${departmentLabels[term.department]}의 행이 없어 아무 행도 체크하지 않았습니다. `
                    : `여러 학과의 행이 있어 ${departmentLabels[term.department]}의 행만 체크했습니다. `}
                {others.length > 0 && '다른 학과의 행도 저장하려면 체크하세요.'}
              </p>
              {named.map(([name, lines]) => (
                <label key={name} className="mr-4 inline-flex min-h-9 items-center gap-2 wrap-anywhere">
                  <input
                    type="checkbox"
                    checked={lines.every((line) => !left.has(line))}
                    onChange={({ target }) => check.leave(lines, !target.checked)}
                    className="size-4 accent-(--accent)"
                  />
                  {name || '제목 없음'} {lines.length}행
                </label>
              ))}
            </fieldset>
          )}
          <CheckTable check={check} caption="미리보기" isStale={isPending} />
          <ImportFoot
            label={`${subjects.length}개 과목 저장`}
            waitsFor={
              said !== undefined && !isSure
                ? `위의 ‘${where} 시간표가 맞습니까?’에 답하세요.`
                : repeated !== undefined
                  ? `학수번호가 같은 행(${repeated})은 하나만 체크하세요.`
                  : subjects.length === 0
                    ? '저장할 행을 체크하세요.'
                    : stored === undefined
                      ? '저장된 과목을 아직 불러오지 못했습니다.'
                      : undefined
            }
            isBusy={isPending}
            onStore={(from) => setAsked({ from })}
            onCancel={onCancel}
          />
        </div>
      )}
      {asked && (
        <ConfirmDialog
          title={`${where} 시간표를 저장할까요?`}
          submitLabel="저장"
          isDestructive={hasStored}
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => void mutateAsync({ ...term, subjects }).then(onStored, () => undefined)}
        >
          <p>
            {hasStored
              ? `저장된 과목 ${stored.length}개가 모두 새 과목 ${subjects.length}개로 바뀝니다.`
              : `새 과목 ${subjects.length}개를 등록합니다.`}
          </p>
          {hasStored && differencesText(stored, subjects).map((line) => <p key={line}>{line}</p>)}
          {unstored > 0 && <p>나머지 {unstored}행은 저장되지 않습니다.</p>}
        </ConfirmDialog>
      )}
    </section>
  );
}

const NAMED = 5;

/** Describes which subjects the timetable removes, adds and changes. */
function differencesText(stored: readonly Subject[], subjects: readonly Subject[]): string[] {
  const [before, after] = [stored, subjects].map((list) => new Map(list.map((each) => [each.id, each])));
  const isChanged = (subject: Subject) => {
    const known = before?.get(subject.id);
    return known && subjectSchema.keyof().options.some((field) => known[field] !== subject[field]);
  };
  const lines = [
    ['빠지는 과목', stored.filter(({ id }) => !after?.has(id))],
    ['새로 생기는 과목', subjects.filter(({ id }) => !before?.has(id))],
    ['내용이 바뀌는 과목', subjects.filter(isChanged)],
  ] as const;
  return lines.flatMap(([what, list]) => {
    if (list.length === 0) return [];
    const names = list.slice(0, NAMED).map(({ id, name }) => `${name}(${id})`);
    return `${what} ${list.length}개: ${names.join(', ')}${list.length > NAMED ? ` 외 ${list.length - NAMED}개` : ''}`;
  });
}

/** The last import of each timetable, with a button to undo the import. */
function TimetableImports() {
  const imports = useQuery(timetableImportsQuery);
  const { mutate, isPending } = useMutation(undoTimetableImportMutation);
  return (
    <ImportList
      imports={imports}
      what={(term) => `${departmentLabels[term.department]} ${seasonText(term)}`}
      counts={({ subjects, before }) => `과목 ${subjects}개 (이전 ${before}개)`}
      consequences={({ before, subjects }) => [
        before === 0
          ? `저장된 과목 ${subjects}개를 삭제합니다. 그 전에는 시간표가 없었습니다.`
          : `저장된 과목 ${subjects}개가 이전 과목 ${before}개로 모두 바뀝니다.`,
      ]}
      condition="같은 학기의 시간표는 나중에 가져온 것부터 되돌립니다. 되돌리면 그 전의 가져오기가 여기에 표시됩니다."
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}
