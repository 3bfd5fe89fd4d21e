import type { RosterRow } from '#contract/students';

type Props = {
  rows: readonly RosterRow[];
  isRemoved: (id: string) => boolean;
  onRemove: (id: string, isTicked: boolean) => void;
};

/** Stored enrolments that the roster does not have; those that are ticked end. */
export function MissingStudents({ rows, isRemoved, onRemove }: Props) {
  return (
    <fieldset className="mt-6 rounded-md border border-line px-4 pb-4">
      <legend className="px-1 font-semibold">가져온 명단에 없는 수강생 {rows.length}명</legend>
      <p className="mb-2 text-sm text-ink-soft">체크한 학생만 이 강의의 수강 기록이 삭제됩니다.</p>
      <ul className="max-h-72 columns-[16rem] overflow-y-auto">
        {rows.map(({ id, name }) => (
          <li key={id}>
            <label className="flex min-h-9 items-center gap-2 tabular-nums">
              <input
                type="checkbox"
                checked={isRemoved(id)}
                onChange={({ target }) => onRemove(id, target.checked)}
                className="size-4 accent-(--accent)"
              />
              {name} {id}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
