import type { Student } from '#contract/students';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { classChoices } from '../class-choices.ts';
import { coursesQuery, rosterQuery } from '../queries.ts';
import { courseName, type CourseKey } from '../term.ts';
import './print.css';
import { StudentPicture } from '../student-picture.tsx';

/** The faces of one course, printable: the print stylesheet hides everything else. */
export function FaceRoster({ students }: { students: Student[] }) {
  const courses = useQuery(coursesQuery);
  const [chosen, setChosen] = useState('');
  const choices = classChoices(courses.data ?? []);
  const choice = choices.find(({ value }) => value === chosen);
  return (
    <section className="mt-12">
      <h2 className="mb-3 text-lg font-bold print:hidden">출석부 사진</h2>
      {courses.isError && (
        <FailedPart text="과목을 불러오지 못했습니다." onRetry={() => void courses.refetch()} />
      )}
      {courses.data && choices.length === 0 && <p className="text-ink-soft">명단이 있는 과목이 없습니다.</p>}
      {choices.length > 0 && (
        <SelectField
          className="max-w-md print:hidden"
          isLabelHidden
          label="출석부를 볼 과목"
          options={choices}
          value={choice?.value ?? ''}
          placeholder="과목을 고르세요"
          onChange={setChosen}
        />
      )}
      {choice && <Faces course={choice.course} students={students} />}
    </section>
  );
}

function Faces({ course, students }: { course: CourseKey; students: Student[] }) {
  const roster = useQuery(rosterQuery(course));
  if (roster.isPending) return <LoadingPart rows={3} className="h-24" />;
  if (!roster.data) {
    return <FailedPart text="명단을 불러오지 못했습니다." onRetry={() => void roster.refetch()} />;
  }
  const withPicture = new Set(students.filter(({ picture }) => picture).map(({ id }) => id));
  return (
    <div data-face-roster>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-bold">
          {courseName(course)} 출석부 <span className="tabular-nums">({roster.data.length}명)</span>
        </h3>
        <Button variant="outline" size="sm" className="print:hidden" onClick={() => print()}>
          인쇄
        </Button>
      </div>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-4 print:grid-cols-5 print:gap-3">
        {roster.data.map((row) => (
          <li key={row.id} className="break-inside-avoid text-sm leading-snug tabular-nums">
            <StudentPicture isEager student={{ ...row, picture: withPicture.has(row.id) }} />
            <strong className="mt-1 block font-semibold">
              {row.no}. {row.name}
            </strong>
            {row.id}
          </li>
        ))}
      </ul>
    </div>
  );
}
