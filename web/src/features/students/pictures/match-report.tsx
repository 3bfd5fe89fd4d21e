import type { Student } from '#contract/students';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import type { PictureMatch } from './picture-match.ts';

type FileMatch = PictureMatch<File>;

type Confirm = (at: number, isRight: boolean) => void;
/** Assigns a file to a student; undefined removes the assignment. */
type Assign = (at: number, student: Student | undefined) => void;

const pictureColumn: Column<FileMatch> = {
  key: 'picture',
  header: '사진',
  width: '10%',
  cell: ({ file }) => <Thumbnail file={file} />,
};

const fileColumn: Column<FileMatch> = {
  key: 'file',
  header: '파일',
  isRowHeader: true,
  width: '35%',
  className: 'wrap-anywhere',
  sortValue: ({ file }) => file.name,
  cell: ({ file }) => file.name,
};

type Options = {
  students: readonly Student[];
  onConfirm: Confirm;
  onAssign: Assign;
  isFixed: (at: number) => boolean;
  /** Id of the datalist with all students. */
  listId: string;
};

const studentColumn = ({ students, onConfirm, onAssign, isFixed, listId }: Options): Column<FileMatch> => ({
  key: 'student',
  header: '학생',
  width: '55%',
  sortValue: (match) => ('student' in match ? match.student.name : null),
  cell: (match) => (
    <>
      {'reason' in match && <span className="block text-danger">{match.reason}</span>}
      {match.kind === 'open' && !isFixed(match.at) && (
        <input
          aria-label={`${match.file.name} 학생 찾기`}
          placeholder="이름이나 학번으로 학생 지정"
          list={listId}
          autoComplete="off"
          className="mt-1 min-h-9 w-full max-w-72 rounded-md border border-line-strong bg-surface px-2 text-sm"
          onChange={({ target }) => {
            const found = meant(target.value, students);
            if (found) onAssign(match.at, found);
          }}
        />
      )}
      {match.kind === 'matched' && `${match.student.name} ${match.student.id}`}
      {match.isByHand && !isFixed(match.at) && (
        <button
          type="button"
          className="ml-2 min-h-8 text-sm underline"
          onClick={() => onAssign(match.at, undefined)}
        >
          지정 취소
        </button>
      )}
      {match.kind === 'matched' && match.student.picture && !isFixed(match.at) && (
        <span className="block text-sm text-ink-soft">저장된 사진을 바꿉니다.</span>
      )}
      {match.doubt !== undefined && (
        <label className="flex min-h-9 cursor-pointer items-center gap-2 text-notice">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            disabled={isFixed(match.at)}
            checked={match.kind !== 'asked'}
            onChange={(event) => onConfirm(match.at, event.target.checked)}
          />
          {match.kind === 'asked' && `${match.student.name} 학생의 사진입니까? `}
          {match.doubt}
        </label>
      )}
    </>
  ),
});

const nameAndId = ({ name, id }: Student) => `${name} ${id}`;

/** The student for a typed list entry or a typed student number. */
const meant = (typed: string, students: readonly Student[]): Student | undefined =>
  students.find((student) => student.id === typed.trim() || nameAndId(student) === typed.trim());

const fileKey = ({ at }: FileMatch) => String(at);

type Props = {
  matches: FileMatch[];
  students: readonly Student[];
  /** Pass the same functions at every render, or all rows render again. */
  onConfirm: Confirm;
  onAssign: Assign;
  /** Whether a file is sent or being sent, so that its match can no longer change. */
  isFixed: (at: number) => boolean;
};

/** Shows which file belongs to which student; the user decides doubtful cases. */
export function MatchReport({ matches, students, onConfirm, onAssign, isFixed }: Props) {
  const listId = useId();
  const [isNarrowed, setNarrowed] = useState(false);
  const columns = useMemo(
    () => [pictureColumn, fileColumn, studentColumn({ students, onConfirm, onAssign, isFixed, listId })],
    [students, onConfirm, onAssign, isFixed, listId],
  );
  const isPending = ({ kind, at }: FileMatch) => (kind === 'asked' || kind === 'open') && !isFixed(at);
  const pending = matches.filter(isPending);
  const countOf = (wanted: FileMatch['kind']) => matches.filter(({ kind }) => kind === wanted).length;
  return (
    <section className="mt-6">
      <p aria-live="polite" className="mb-3 text-sm text-ink-soft tabular-nums">
        파일 {matches.length}개 · 학생과 연결 {countOf('matched')}개
        {pending.length > 0 && ` · 확인 필요 ${pending.length}개`} · 제외 {countOf('refused')}개
      </p>
      {(pending.length > 0 || isNarrowed) && (
        <label className="mb-3 flex min-h-9 w-fit cursor-pointer items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isNarrowed}
            onChange={({ target }) => setNarrowed(target.checked)}
          />
          확인 필요만 보기
        </label>
      )}
      <datalist id={listId}>
        {pending.length > 0 &&
          students.map((student) => <option key={student.id}>{nameAndId(student)}</option>)}
      </datalist>
      <DataTable
        caption="사진과 학생"
        columns={columns}
        rows={isNarrowed ? pending : matches}
        rowKey={fileKey}
        emptyText="확인할 파일이 없습니다."
        pageKey={`matches ${isNarrowed}`}
      />
    </section>
  );
}

/** Twice the displayed height, for high-density screens. */
const HEIGHT = 160;

/** Thumbnails are decoded one at a time: ten photographs at once would exhaust a phone's memory. */
let lastDrawn: Promise<unknown> = Promise.resolve();

/** A preview of a local file, drawn on a canvas because the page's policy forbids local image URLs. */
function Thumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [unreadable, setUnreadable] = useState<File>();
  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      if (isGone) return;
      const bitmap = await createImageBitmap(file, { resizeHeight: HEIGHT, imageOrientation: 'from-image' });
      const element = canvas.current;
      if (!isGone && element) {
        element.width = bitmap.width;
        element.height = bitmap.height;
        element.getContext('2d')?.drawImage(bitmap, 0, 0);
      }
      bitmap.close();
    };
    lastDrawn = lastDrawn.then(draw).catch(() => {
      if (!isGone) setUnreadable(file);
    });
    return () => {
      isGone = true;
    };
  }, [file]);
  // Smaller in a long table, because all its rows have the same height.
  const box = 'h-20 w-16 rounded-sm border border-line bg-sunken in-[.table-fixed]:h-8 in-[.table-fixed]:w-7';
  if (unreadable === file) {
    return (
      <span className={`${box} flex items-center justify-center text-center text-xs text-ink-soft`}>
        미리보기 없음
      </span>
    );
  }
  return <canvas ref={canvas} aria-label={`${file.name} 미리보기`} className={`${box} block object-cover`} />;
}
