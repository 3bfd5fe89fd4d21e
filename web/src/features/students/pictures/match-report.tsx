import { useEffect, useMemo, useRef, useState } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import type { Match } from './picture-match.ts';

type FileMatch = Match<File>;

type Confirm = (at: number, isRight: boolean) => void;

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

const studentColumn = (onConfirm: Confirm, isFixed: boolean): Column<FileMatch> => ({
  key: 'student',
  header: '학생',
  width: '55%',
  sortValue: (match) => (match.kind === 'refused' ? null : match.student.name),
  cell: (match) => (
    <>
      {match.kind === 'refused' && <span className="block text-danger">{match.reason}</span>}
      {match.kind === 'matched' && `${match.student.name} ${match.student.id}`}
      {match.kind === 'matched' && match.student.picture && !isFixed && (
        <span className="block text-sm text-ink-soft">저장된 사진을 바꿉니다.</span>
      )}
      {match.doubt !== undefined && (
        <label className="flex min-h-9 cursor-pointer items-center gap-2 text-notice">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            disabled={isFixed}
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

const fileKey = ({ at }: FileMatch) => String(at);

type Props = {
  matches: FileMatch[];
  /** Pass a stable function. */
  onConfirm: Confirm;
  /** The upload has started, so the matches can no longer be changed. */
  isFixed: boolean;
};

/** Which file belongs to which student, if any; the user decides doubtful cases. */
export function MatchReport({ matches, onConfirm, isFixed }: Props) {
  const columns = useMemo(
    () => [pictureColumn, fileColumn, studentColumn(onConfirm, isFixed)],
    [onConfirm, isFixed],
  );
  const countOf = (wanted: FileMatch['kind']) => matches.filter(({ kind }) => kind === wanted).length;
  return (
    <section className="mt-6">
      <p aria-live="polite" className="mb-3 text-sm text-ink-soft tabular-nums">
        파일 {matches.length}개 · 학생과 연결 {countOf('matched')}개
        {countOf('asked') > 0 && ` · 확인 필요 ${countOf('asked')}개`} · 제외 {countOf('refused')}개
      </p>
      <DataTable
        caption="사진과 학생"
        columns={columns}
        rows={matches}
        rowKey={fileKey}
        emptyText=""
        pageKey="matches"
      />
    </section>
  );
}

/** Twice what is shown, for sharp screens. */
const HEIGHT = 160;

/** One at a time, because decoding ten photographs at once would exhaust a phone's memory. */
let lastDrawn: Promise<unknown> = Promise.resolve();

/** A picture that is still a file of this device. Drawn, because the page's policy lets no image be read from one. */
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
  // Lower in a long table, whose rows have one height.
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
