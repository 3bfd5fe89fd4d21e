import { targetText } from '#contract/course-target';
import { courseYearSchema, type Course } from '#contract/courses';
import { useEffect, useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useAutosaved } from '../../../components/use-draft.ts';
import { useCourseCopying, planCopies, termKey, termsWithCourses, type PlannedCopy } from '../copy-flow.ts';
import { parseNumber } from '../../../lib/form-problems.ts';
import { seasonText } from '#contract/terms';
import { toggleItem } from '../../../lib/collections.ts';

/** What to copy: one course, or a term chosen in the panel. */
export type CopySource = 'term' | { course: Course };

/** `flipped`: ids of courses whose tick the user changed. At first, only likely duplicates are not ticked. */
type Choice = { term: string; yearText: string; flipped: readonly number[] };

type Props = { of: CopySource; courses: readonly Course[]; onClose: () => void };

/** Copies courses to another year: shows what would be added, then adds them one by one. */
export function CopyPanel({ of, courses, onClose }: Props) {
  const terms = termsWithCourses(courses);
  const first = of === 'term' ? terms[0] : of.course;
  const { value, change, restored } = useAutosaved<Choice>(
    `courses/copy/${of === 'term' ? of : of.course.id}`,
    () => ({
      term: first ? termKey(first) : '',
      yearText: first ? String(first.year + 1) : '',
      flipped: [],
    }),
  );
  const { term, yearText } = value;
  const flipped = new Set(value.flipped);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const close = () => {
    restored.onDiscard();
    onClose();
  };
  const copying = useCourseCopying(close);

  const { data: year, error } = courseYearSchema.safeParse(parseNumber(yearText));
  const sources = of === 'term' ? courses.filter((course) => termKey(course) === term) : [of.course];
  const plan = year === undefined ? [] : planCopies(sources, year, courses);
  const isChosen = ({ source, twin }: PlannedCopy) => (twin === undefined) !== flipped.has(source.id);
  const chosen = plan.filter(isChosen);

  return (
    <section
      aria-labelledby="copy-heading"
      className="mb-5 rounded-md border border-line-strong bg-surface p-4"
    >
      <h2 id="copy-heading" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {of === 'term' ? '한 학기를 다른 해로 복사' : `${of.course.subject} 강의를 다른 해로 복사`}
      </h2>
      <DraftNote {...restored} />
      <div className="mt-3 flex flex-wrap items-start gap-3">
        {of === 'term' && (
          <SelectField
            className="w-56"
            label="복사할 학기"
            options={terms.map((each) => ({
              value: termKey(each),
              label: `${seasonText(each)} (${each.count})`,
            }))}
            value={term}
            onChange={(next) => change((before) => ({ ...before, term: next }))}
            disabled={copying.isPending}
          />
        )}
        <TextField
          className="w-40"
          label="새 연도"
          inputMode="numeric"
          autoComplete="off"
          required
          disabled={copying.isPending}
          value={yearText}
          error={error?.issues[0]?.message}
          onChange={({ target }) => change((before) => ({ ...before, yearText: target.value }))}
        />
      </div>
      <ul
        aria-label="추가될 강의"
        className="mt-4 divide-y divide-line rounded-md border border-line text-sm empty:hidden"
      >
        {plan.map((copy) => (
          <li key={copy.source.id}>
            <label className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 px-3 py-1.5 hover:bg-sunken">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isChosen(copy)}
                disabled={copying.isPending}
                onChange={() => {
                  const next = [...toggleItem(flipped, copy.source.id)];
                  change((before) => ({ ...before, flipped: next }));
                }}
              />
              <span className="font-semibold">{copy.form.subject}</span>
              <span className="text-ink-soft">
                {seasonText(copy.form)} · {targetText(copy.form)}
              </span>
              {copy.twin && (
                <span className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice">
                  이미 있음: {copy.twin.subject}
                </span>
              )}
            </label>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {copying.isPending ? (
          <>
            <progress
              aria-label="복사"
              max={copying.total}
              value={copying.done}
              className="h-2 w-40 overflow-hidden rounded-sm"
            />
            <output className="text-sm tabular-nums">
              {copying.done} / {copying.total}
            </output>
            <Button variant="outline" size="sm" onClick={copying.stop}>
              중지
            </Button>
          </>
        ) : (
          <>
            <Button
              size="sm"
              disabled={chosen.length === 0}
              onClick={() => copying.start(chosen.map(({ form }) => form))}
            >
              {chosen.length}개 추가
            </Button>
            <Button variant="ghost" size="sm" onClick={close}>
              닫기
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
