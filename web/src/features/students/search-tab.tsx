import type { Student } from '#contract/students';
import { useDeferredValue, useId, useMemo } from 'react';
import { DraftNote } from '../../components/draft-note.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Label } from '../../components/ui/label.tsx';
import { useAutosavedText } from '../../components/use-draft.ts';
import { ClassChooser, useChosenStudents } from './class-chooser.tsx';
import { StudentPicture } from './student-picture.tsx';
import { findManyStudents } from './student-search.ts';

const none: Student[] = [];

/** Looks up many students of the class by id or name and shows them as cards. */
export function SearchTab() {
  const id = useId();
  const { students, hasFailed, retry, chosen, choose } = useChosenStudents();
  const { text, setText, restored } = useAutosavedText('students/search');
  // The search is deferred, so that typing stays fast while many cards render.
  const wanted = useDeferredValue(text);
  const { found, unmatched } = useMemo(() => findManyStudents(students ?? none, wanted), [students, wanted]);
  return (
    <>
      <DraftNote {...restored} />
      <ClassChooser />
      <Label htmlFor={id} className="mt-4 block">
        학번 또는 이름
      </Label>
      <textarea
        id={id}
        rows={4}
        value={text}
        spellCheck={false}
        placeholder="여러 개를 붙여넣으세요"
        onChange={({ target }) => setText(target.value)}
        className="mt-1.5 block w-full max-w-2xl rounded-md border border-line-strong bg-surface p-3 text-base text-ink"
      />
      {!students && hasFailed && <FailedPart text="학생을 불러오지 못했습니다." onRetry={retry} />}
      {!students && !hasFailed && <LoadingPart rows={4} className="mt-4 h-9" />}
      {students && wanted.trim() !== '' && (
        <p aria-live="polite" className="mt-4 text-sm text-ink-soft tabular-nums">
          {found.length}명
        </p>
      )}
      {students && unmatched.length > 0 && (
        <div className="mt-2 flex flex-wrap items-center justify-between gap-3 rounded-md bg-notice-wash px-4 py-2 text-notice">
          <p className="min-w-0 wrap-anywhere">
            찾지 못함 ({unmatched.length}): {unmatched.join(', ')}
          </p>
          {chosen !== 'all' && (
            <Button variant="outline" size="sm" onClick={() => choose('all')}>
              모든 학생에서 찾기
            </Button>
          )}
        </div>
      )}
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-4">
        {found.map((student) => (
          <li
            key={student.id}
            className="flex gap-4 rounded-md border border-line bg-surface p-3 text-sm [contain-intrinsic-size:auto_11rem] [content-visibility:auto]"
          >
            <StudentPicture student={student} />
            <div className="min-w-0 leading-relaxed tabular-nums wrap-anywhere">
              <strong className="text-base font-semibold">{student.name}</strong>
              {[student.id, studyText(student), student.tel, student.email, student.subjects.join(', ')]
                .filter((part) => part !== '')
                .map((part) => (
                  <p key={part}>{part}</p>
                ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `컴퓨터공학과 · 3학년 · 재학` */
function studyText({ department, year, type }: Student): string {
  return [department, year === null ? '' : `${year}학년`, type].filter((part) => part !== '').join(' · ');
}
