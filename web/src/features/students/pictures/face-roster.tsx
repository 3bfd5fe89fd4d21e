import { Button } from '../../../components/ui/button.tsx';
import '../../../components/printed.css';
import { EmptyPart, FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { courseName } from '../term.ts';
import { StudentPicture } from '../student-picture.tsx';
import { useChosenStudents } from '../use-chosen-class.ts';

/** The faces of the chosen class, printable: the print stylesheet hides everything else. */
export function FaceRoster() {
  return (
    <section className="mt-12">
      <h2 className="mb-3 text-lg font-bold print:hidden">출석부 사진</h2>
      <Faces />
    </section>
  );
}

function Faces() {
  const { students, hasFailed, retry, chosen } = useChosenStudents();
  if (chosen === 'all') return <EmptyPart text="위에서 강의를 고르면 그 강의의 사진 출석부가 나옵니다." />;
  if (!chosen || !students) {
    if (hasFailed) return <FailedPart text="명단을 불러오지 못했습니다." onRetry={retry} />;
    return <LoadingPart rows={3} className="h-24" />;
  }
  if (students.length === 0) return <EmptyPart text="이 강의의 명단이 없습니다." />;
  return (
    <div data-printed>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-bold">
          {courseName(chosen)} 출석부 <span className="tabular-nums">({students.length}명)</span>
        </h3>
        <Button variant="outline" size="sm" className="print:hidden" onClick={() => print()}>
          인쇄
        </Button>
      </div>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-4 print:grid-cols-5 print:gap-3">
        {students.map((student) => (
          <li
            key={student.id}
            // A class may be thousands; what is out of sight is not laid out.
            className="break-inside-avoid text-sm leading-snug tabular-nums [contain-intrinsic-size:auto_14rem] [content-visibility:auto] print:[content-visibility:visible]"
          >
            <StudentPicture isEager student={student} />
            <strong className="mt-1 block font-semibold">
              {student.no}. {student.name}
            </strong>
            {student.id}
          </li>
        ))}
      </ul>
    </div>
  );
}
