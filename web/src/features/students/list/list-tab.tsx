import type { ClassKey, Student } from '#contract/students';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState, useTransition } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { OrphanedDrafts } from '../../../components/draft-note.tsx';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { usePrintAllRows } from '../../../components/printed.tsx';
import { ReasonDialog } from '../../../components/reason-dialog.tsx';
import { sortRowsByColumn, type SortOrder } from '../../../components/table-column.ts';
import { RowMenu } from '../../../components/row-menu.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { classText, courseName } from '../../../lib/chosen-class.ts';
import { useOpenedRow } from '../../../lib/navigation.ts';
import { filterByEveryWord } from '../../../lib/search-text.ts';
import { ClassChooser, useChosenStudents } from '../class-chooser.tsx';
import {
  deleteEnrolmentMutation,
  deleteStudentMutation,
  exportListMutation,
  exportStudentMutation,
} from '../queries.ts';
import { searchEntries } from '../student-search.ts';
import { ExportDialog, exportStudents, type ListExport } from './export-dialog.tsx';
import { PurgeTerm } from './purge-term.tsx';
import { studentColumns } from './student-columns.tsx';
import { emptyStudentDraft, studentMergeFields } from './student-draft.ts';
import { StudentFormDialog, StudentDialog } from './student-dialogs.tsx';

type Asked = { from: HTMLElement | null } & (
  | { kind: 'show' | 'edit' | 'delete' | 'export'; student: Student }
  | { kind: 'leave'; student: Student; course: ClassKey }
  | { kind: 'add' }
  | { kind: 'list'; way: ListExport['way'] }
);

const ways: { way: ListExport['way']; label: string }[] = [
  { way: 'csv', label: 'CSV 저장' },
  { way: 'tsv', label: '표 복사' },
  { way: 'emails', label: '이메일 복사' },
  { way: 'print', label: '인쇄' },
];

const studentId = ({ id }: { id: string }) => id;
const none: Student[] = [];

export function ListTab() {
  const { row, forget } = useOpenedRow();
  const { students, hasFailed, retry, chosen } = useChosenStudents();
  const course = useMemo(() => (chosen === 'all' ? undefined : chosen), [chosen]);
  const isClass = course !== undefined;
  const [filter, setFilter] = useState('');
  const [, startSearch] = useTransition();
  const [own, setAsked] = useState<Asked>();
  const [order, setOrder] = useState<SortOrder>();
  const [isWhole, printWhole] = usePrintAllRows();
  const { mutate: remove, isPending: isRemoving } = useMutation(deleteStudentMutation);
  const { mutate: leave, isPending: isLeaving } = useMutation(deleteEnrolmentMutation);
  const { mutate: exportOne } = useMutation(exportStudentMutation);
  const { mutate: exportList } = useMutation({
    ...exportListMutation,
    onSuccess: (_answer, list) => exportStudents(list, printWhole),
  });
  const entries = useMemo(() => searchEntries(students ?? none), [students]);
  const shown = useMemo(() => filterByEveryWord(entries, filter), [entries, filter]);
  const columns = useMemo(
    () =>
      studentColumns({
        isClass,
        isBusy: isRemoving,
        onEdit: (student, from) => setAsked({ kind: 'edit', student, from }),
        onDelete: (student, from) => setAsked({ kind: 'delete', student, from }),
        onLeave: course && ((student, from) => setAsked({ kind: 'leave', student, course, from })),
      }),
    [isRemoving, isClass, course],
  );
  const open = useMemo(
    () => (student: Student, from: HTMLElement) => setAsked({ kind: 'show', student, from }),
    [],
  );
  const sought = students?.find(({ id }) => id === row);
  const asked = own ?? (sought && { kind: 'show', student: sought, from: null });
  const count = (students ?? none).length;
  const close = () => {
    setAsked(undefined);
    forget();
  };
  // The list of one class cannot show whether students of other classes still exist.
  const isThere = (place: string) => {
    const [, id, of] = /^([0-9A-Za-z-]{4,20})\/(.+)$/s.exec(place) ?? [];
    return of !== classText(course ?? 'all') || !!students?.some((student) => student.id === id);
  };
  return (
    <>
      {students && (
        <OrphanedDrafts
          start="students/"
          what="학생"
          isThere={isThere}
          model={emptyStudentDraft(none, undefined)}
          fields={studentMergeFields}
        />
      )}
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {/* Always rendered at the same place, so that an open menu stays open when the list loads. */}
        <ClassChooser />
        {students && (
          <>
            <Input
              size="sm"
              className="sm:w-60"
              aria-label="검색"
              type="search"
              defaultValue={filter}
              placeholder="이름, 초성, 학번, 과목"
              autoComplete="off"
              // The field shows a typed letter at once, even while the list is rendering.
              onChange={({ target }) => startSearch(() => setFilter(target.value))}
            />
            <p aria-live="polite" className="grow px-1 text-sm text-ink-soft tabular-nums">
              {shown.length === count ? `${count}명` : `${count}명 중 ${shown.length}명`}
            </p>
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={(event) => setAsked({ kind: 'add', from: event.currentTarget })}>
                학생 추가
              </Button>
              <RowMenu
                name="내보내기"
                label="내보내기"
                isBusy={shown.length === 0}
                actions={ways.map(({ way, label }) => ({
                  label,
                  onChoose: (from) => setAsked({ kind: 'list', way, from }),
                }))}
              />
            </div>
          </>
        )}
      </div>
      {students ? (
        <DataTable
          caption="학생"
          columns={columns}
          rows={shown}
          rowKey={studentId}
          emptyText={emptyText(count > 0, isClass)}
          isStale={isRemoving || isLeaving}
          order={order}
          onOrder={setOrder}
          pageKey={`${course ? courseName(course) : ''} ${filter}`}
          onRowOpen={open}
          printed={{ title: printedTitle(course, filter), unit: '명', isWhole }}
        />
      ) : hasFailed ? (
        <FailedPart text="학생을 불러오지 못했습니다." onRetry={retry} />
      ) : (
        <LoadingPart rows={8} className="h-9" />
      )}
      {students && <PurgeTerm chosen={chosen} />}
      {asked?.kind === 'show' && (
        <StudentDialog
          student={asked.student}
          onClose={close}
          onEdit={() => setAsked({ ...asked, kind: 'edit' })}
          onExport={() => setAsked({ ...asked, kind: 'export' })}
          returnFocusTo={asked.from}
        />
      )}
      {(asked?.kind === 'add' || asked?.kind === 'edit') && (
        <StudentFormDialog
          {...(asked.kind === 'edit' && { student: asked.student })}
          students={students ?? none}
          course={course}
          onClose={close}
          returnFocusTo={asked.from}
        />
      )}
      {asked?.kind === 'delete' && (
        <ConfirmDialog
          title={`${asked.student.name} 학생을 삭제할까요?`}
          submitLabel="삭제"
          isDestructive
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => remove(asked.student)}
        >
          <p className="tabular-nums">{asked.student.id}</p>
          {asked.student.subjects.length > 0 && (
            <p className="wrap-anywhere">
              수강 기록이 모두 삭제되는 강의: {asked.student.subjects.join(', ')}
            </p>
          )}
          <p>사진도 함께 삭제되며 되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
      {asked?.kind === 'leave' && (
        <ConfirmDialog
          title={`${asked.student.name} 학생의 수강 기록을 삭제할까요?`}
          submitLabel="수강 삭제"
          isDestructive
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => leave({ student: asked.student, course: asked.course })}
        >
          <p className="tabular-nums">
            {asked.student.id} · {courseName(asked.course)}
          </p>
          <p>이 강의의 명단에서만 삭제됩니다. 학생 정보와 사진, 다른 강의의 수강 기록은 남습니다.</p>
        </ConfirmDialog>
      )}
      {asked?.kind === 'export' && (
        <ReasonDialog
          title={`${asked.student.name} 학생의 정보를 내보냅니다`}
          submitLabel="내보내기"
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={(reason) => exportOne({ student: asked.student, reason })}
        />
      )}
      {asked?.kind === 'list' && (
        <ExportDialog
          way={asked.way}
          students={shown}
          onClose={close}
          onSubmit={(reason) => {
            const rows = [...sortRowsByColumn(shown, columns, order)];
            exportList({ way: asked.way, rows, course, isSearch: filter.trim() !== '', reason });
          }}
          returnFocusTo={asked.from}
        />
      )}
    </>
  );
}

function printedTitle(course: ClassKey | undefined, filter: string): string {
  const whose = course ? `${courseName(course)} 학생 명단` : '모든 학생';
  return filter.trim() === '' ? whose : `${whose} (검색: ${filter.trim()})`;
}

function emptyText(isSearch: boolean, isClass: boolean): string {
  if (isSearch) return '검색 결과가 없습니다.';
  if (isClass) return '이 강의의 명단이 없습니다. 다른 강의를 선택하세요.';
  return '등록된 학생이 없습니다. 데이터 입력 탭에서 명단을 붙여넣으세요.';
}
