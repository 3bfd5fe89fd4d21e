import { rosterYearSchema, type ClassKey } from '#contract/students';
import { defaultRosterTerm, SEASON_LABELS } from '#contract/terms';
import { normalizeText } from '#contract/printable-text';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useKeepFocus } from '../../../components/keep-focus.ts';
import { TableInput } from '../../../components/import/table-input.tsx';
import { useTableInput } from '../../../components/import/use-table-input.ts';
import { LoadingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TermChoice } from '../../../components/term-offer.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useAutosaved } from '../../../components/use-draft.ts';
import { classText, courseName, type ChosenClass } from '../../../lib/chosen-class.ts';
import { parseNumber } from '../../../lib/form-problems.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { AlertDialog } from '../../../components/confirm-dialog.tsx';
import { useChosenClass } from '../class-chooser.tsx';
import { rosterCoursesQuery } from '../../../lib/roster.ts';
import { classOfFile, rosterFileTitles } from './other-class.ts';
import { RosterCheck } from './roster-check.tsx';
import { RosterImports } from './roster-imports.tsx';

type RosterForm = { year: string; semester: 1 | 2; subject: string; text: string };

const semesterOptions = [
  { value: 1, label: SEASON_LABELS.spring },
  { value: 2, label: SEASON_LABELS.fall },
] as const;

/** The initial form, for the chosen class. */
const emptyForm = (chosen: ChosenClass): RosterForm => {
  const course = chosen === 'all' ? { ...defaultRosterTerm(serverNow()), subject: '' } : chosen;
  return { year: String(course.year), semester: course.semester, subject: course.subject, text: '' };
};

export function ImportTab() {
  const { chosen, choose } = useChosenClass();
  return chosen ? (
    <ImportForm chosen={chosen} onStored={choose} />
  ) : (
    <LoadingPart rows={3} className="h-11" />
  );
}

/** @param onStored receives the class that the import created, so that all tabs show it */
function ImportForm({ chosen, onStored }: { chosen: ChosenClass; onStored: (course: ClassKey) => void }) {
  const id = useId();
  const {
    value: form,
    base,
    change: edit,
    restart,
    restored,
  } = useAutosaved('students/import', () => emptyForm(chosen));
  const [alert, setAlert] = useState<{ text: string; from: HTMLElement }>();
  const given = useTableInput('students/import', {
    text: form.text,
    setText: (text) => edit((before) => ({ ...before, text })),
    restored,
  });
  const courses = useQuery(rosterCoursesQuery);
  const course = courseOf(form);
  const { table } = given;
  const readCourse = table && !('alert' in course) ? course : undefined;
  const change = (part: Partial<RosterForm>) => {
    edit((before) => ({ ...before, ...part }));
    // The table was compared with the class that was entered before, so the comparison is no longer valid.
    given.close();
  };
  // Does not overwrite typed input when another class is chosen.
  const followClass = useEffectEvent(() => {
    if (JSON.stringify(form) !== JSON.stringify(base)) return;
    restart(emptyForm(chosen));
    given.close();
  });
  const chosenText = classText(chosen);
  const followed = useRef(chosenText);
  useEffect(() => {
    if (followed.current === chosenText) return;
    followed.current = chosenText;
    followClass();
  }, [chosenText]);
  const subjects = [...new Set((courses.data ?? []).map(({ subject }) => subject))];
  const { newest } = given;
  // If the user has typed no subject, the subject named in the file is used.
  const followFile = useEffectEvent(() => {
    if (!newest || normalizeText(form.subject) !== '') return;
    const { subject, term } = classOfFile(rosterFileTitles(newest), subjects);
    if (subject === undefined) return;
    const { year, semester } = term ?? form;
    edit((before) => ({ ...before, subject, year: String(year), semester }));
    given.read();
  });
  const newestMark = newest?.mark;
  useEffect(() => {
    if (newestMark !== undefined) followFile();
  }, [newestMark]);
  const read = (from: HTMLElement) => {
    const isGiven = given.file !== undefined || given.text.trim() !== '';
    const problem = isGiven ? ('alert' in course ? course.alert : undefined) : EMPTY;
    if (problem === undefined) given.read();
    else setAlert({ text: problem, from });
  };
  return (
    <section aria-label="명단 입력" tabIndex={-1} {...useKeepFocus<HTMLElement>()}>
      <div className="space-y-4">
        <DraftNote {...given.restored} />
        {/* After the table has been read, the form is one line, because the rows are shown below. */}
        <details open={!readCourse} className={readCourse && 'rounded-md border border-line px-4'}>
          <summary hidden={!readCourse} className="min-h-10 cursor-pointer py-2 text-sm text-ink-soft">
            강의: {readCourse && courseName(readCourse)}. 강의 변경
          </summary>
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-[8rem_8rem_minmax(12rem,24rem)]">
            <TextField
              label="연도"
              inputMode="numeric"
              value={form.year}
              onChange={(event) => change({ year: event.target.value })}
              autoComplete="off"
            />
            <SelectField<1 | 2>
              label="학기"
              options={semesterOptions}
              value={form.semester}
              onChange={(semester) => change({ semester })}
            />
            <TextField
              className="col-span-2 sm:col-span-1"
              label="과목"
              value={form.subject}
              onChange={(event) => change({ subject: event.target.value })}
              maxLength={200}
              list={`${id}-subjects`}
              autoComplete="off"
            />
            <datalist id={`${id}-subjects`}>
              {subjects.map((subject) => (
                <option key={subject} value={subject}>
                  {subject}
                </option>
              ))}
            </datalist>
          </div>
          <TermChoice onChoose={({ year, semester }) => change({ year: String(year), semester })} />
        </details>
        <TableInput
          given={given}
          label="명단"
          hint="머리글(열 이름이 있는 행)까지 필요합니다. 열 순서는 상관없습니다: 순번, 학번, 이름, 학과, 학년, 학적상태, 연락처, 이메일"
          isHeld={'alert' in course}
          onRead={read}
        />
      </div>
      {alert && (
        <AlertDialog text={alert.text} onClose={() => setAlert(undefined)} returnFocusTo={alert.from} />
      )}
      {table && readCourse && (
        <RosterCheck
          key={`${table.id} ${classText(readCourse)}`}
          course={readCourse}
          table={table}
          subjects={subjects}
          onOtherClass={({ year, semester, subject }) =>
            edit((before) => ({ ...before, year: String(year), semester, subject }))
          }
          onCancel={given.cancel}
          onStored={(count) => {
            given.finish();
            restart({ ...form, text: '' });
            onStored(readCourse);
            showToast(count > 0 ? `추가 완료: ${courseName(readCourse)} ${count}명` : '변경 완료');
          }}
        />
      )}
      <RosterImports />
    </section>
  );
}

const EMPTY = '데이터를 입력하세요';

/** The entered class, or the error to show. */
function courseOf({ year, semester, subject }: RosterForm): ClassKey | { alert: string } {
  const name = normalizeText(subject);
  if (year.trim() === '' || name === '') return { alert: EMPTY };
  const parsed = rosterYearSchema.safeParse(parseNumber(year));
  if (!parsed.success) return { alert: '연도를 올바르게 입력하세요' };
  return { year: parsed.data, semester, subject: name };
}
