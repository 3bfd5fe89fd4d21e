import { DataTable, type Column } from '../../../components/data-table.tsx';
import type { Match } from '../picture-match.ts';

type FileMatch = Match<File>;

const columns: Column<FileMatch>[] = [
  {
    key: 'file',
    header: '파일',
    isRowHeader: true,
    width: '40%',
    className: 'wrap-anywhere',
    sortValue: ({ file }) => file.name,
    cell: ({ file }) => file.name,
  },
  {
    key: 'student',
    header: '학생',
    width: '60%',
    sortValue: (match) => (match.kind === 'matched' ? match.student.name : null),
    cell: (match) =>
      match.kind === 'matched' ? (
        `${match.student.name} ${match.student.id}`
      ) : (
        <span className="text-danger">{match.reason}</span>
      ),
  },
];

const fileKey = ({ at }: FileMatch) => String(at);

/** Which file belongs to which student, and which to none. */
export function MatchReport({ matches }: { matches: FileMatch[] }) {
  const matched = matches.filter(({ kind }) => kind === 'matched').length;
  return (
    <section className="mt-6">
      <p aria-live="polite" className="mb-3 text-sm text-ink-soft tabular-nums">
        파일 {matches.length}개 · 학생과 짝지음 {matched}개 · 제외 {matches.length - matched}개
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
