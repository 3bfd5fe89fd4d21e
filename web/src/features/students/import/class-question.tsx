import type { CourseKey } from '#contract/students';
import { Button } from '../../../components/ui/button.tsx';
import { courseName } from '../../../lib/chosen-class.ts';
import type { Overlap } from './other-class.ts';

type Props = {
  course: CourseKey;
  /** The class named in the file. */
  said: CourseKey | undefined;
  overlap: Overlap;
  isSure: boolean;
  onSure: (isTicked: boolean) => void;
  onOtherClass: (course: CourseKey) => void;
};

/** Asks whether the roster belongs to the chosen class; nothing is stored before the answer. */
export function ClassQuestion({ course, said, overlap, isSure, onSure, onOtherClass }: Props) {
  const { listed, added, enrolled, missing } = overlap;
  return (
    <div role="alert" className="mt-6 space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
      <p className="font-semibold wrap-anywhere">{courseName(course)} 명단이 맞습니까?</p>
      {said && <p className="wrap-anywhere">명단에 적힌 강의: {courseName(said)}</p>}
      <p className="tabular-nums">
        명단의 {listed}명 중 {added}명은 이 강의에 없고, 이 강의의 {enrolled}명 중 {missing}명은 명단에
        없습니다.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-11 items-center gap-2 wrap-anywhere">
          <input
            type="checkbox"
            checked={isSure}
            onChange={({ target }) => onSure(target.checked)}
            className="size-4 accent-(--accent)"
          />
          {courseName(course)} 명단이 맞습니다
        </label>
        {said && (
          <Button variant="outline" onClick={() => onOtherClass(said)}>
            {courseName(said)} 명단으로 변경
          </Button>
        )}
      </div>
    </div>
  );
}
