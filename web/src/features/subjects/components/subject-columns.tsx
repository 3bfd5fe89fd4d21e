import type { Column } from '../../../components/table-column.ts';
import { subjectKey, type ListedSubject } from '../merged.ts';
import { departmentLabels, gradeText } from '../labels.ts';

/** @param onTick adds a subject to the week, or removes it */
export function subjectColumns(
  ticked: ReadonlySet<string>,
  onTick: (key: string) => void,
): Column<ListedSubject>[] {
  return [
    {
      key: 'tick',
      isControl: true,
      header: '선택',
      className: 'w-12',
      cell: (subject) => (
        <label className="-m-1.5 flex size-10 items-center justify-center">
          <span className="sr-only">{subject.name} 시간표에 넣기</span>
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={ticked.has(subjectKey(subject))}
            onChange={() => onTick(subjectKey(subject))}
          />
        </label>
      ),
    },
    {
      key: 'name',
      header: '과목명',
      isRowHeader: true,
      className: 'min-w-28 max-w-56 wrap-anywhere',
      sortValue: ({ name }) => name,
      cell: ({ name }) => <strong className="font-semibold">{name}</strong>,
    },
    {
      key: 'id',
      header: '학수번호',
      className: 'whitespace-nowrap',
      sortValue: ({ id }) => id,
      cell: ({ id }) => id,
    },
    {
      key: 'department',
      header: '학과',
      className: 'whitespace-nowrap',
      sortValue: ({ department }) => department,
      cell: ({ department }) => (
        <abbr className="no-underline" title={departmentLabels[department]}>
          {department}
        </abbr>
      ),
    },
    {
      key: 'year',
      header: '학년',
      className: 'whitespace-nowrap',
      sortValue: ({ year }) => (year === 0 ? 9 : year),
      cell: ({ year }) => gradeText(year),
    },
    {
      key: 'type',
      header: '이수구분',
      className: 'whitespace-nowrap',
      sortValue: ({ type }) => type || null,
      cell: ({ type }) => type,
    },
    {
      key: 'score',
      header: '학점',
      align: 'end',
      sortValue: ({ score }) => score,
      cell: ({ score }) => score,
    },
    {
      key: 'prof',
      header: '교수',
      className: 'min-w-20 wrap-anywhere',
      sortValue: ({ prof }) => prof || null,
      cell: ({ prof }) => prof,
    },
    {
      key: 'time',
      header: '강의시간',
      className: 'min-w-32 wrap-anywhere',
      sortValue: ({ time }) => time || null,
      cell: ({ time }) => time,
    },
    {
      key: 'classroom',
      header: '강의실',
      className: 'min-w-24 wrap-anywhere',
      sortValue: ({ classroom }) => classroom || null,
      cell: ({ classroom }) => classroom,
    },
    {
      key: 'etc',
      header: '비고',
      className: 'min-w-32 wrap-anywhere',
      sortValue: ({ etc }) => etc || null,
      cell: ({ etc }) => etc,
    },
  ];
}
