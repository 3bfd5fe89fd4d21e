import { useMemo } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { EmptyPart } from '../../../components/part-state.tsx';
import { subjectKey, type ListedSubject } from '../merged.ts';
import { clashText, weekOf } from '../week.ts';
import { WeekGrid } from './week-grid.tsx';
import '../week.css';

type Props = { title: string; subjects: readonly ListedSubject[]; isTicked: boolean };

/** The selected subjects as a week, with clashes and unparsed times in words. */
export function WeekView({ title, subjects, isTicked }: Props) {
  const { blocks, asText, clashes } = useMemo(() => weekOf(subjects), [subjects]);
  if (subjects.length === 0) return <EmptyPart text="시간표에 넣을 과목이 없습니다." />;
  return (
    <div className="week-sheet space-y-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div>
          <h2 className="text-lg font-semibold">{title} 주간 시간표</h2>
          <p className="text-sm text-ink-soft tabular-nums">
            {isTicked ? `선택한 ${subjects.length}개 과목` : `과목 ${subjects.length}개 전체`}
            <span className="print:hidden">
              {isTicked ? '' : ' · 과목 목록에서 선택하면 그 과목만 표시합니다.'}
            </span>
          </p>
        </div>
        <Button variant="outline" size="sm" className="print:hidden" onClick={() => print()}>
          인쇄
        </Button>
      </div>
      <section aria-labelledby="clash-heading">
        <h3 id="clash-heading" className="font-semibold">
          겹침 {clashes.length}건
        </h3>
        {clashes.length === 0 ? (
          <p className="text-sm text-ink-soft">강의실이나 교수가 겹치는 시간이 없습니다.</p>
        ) : (
          <ul className="mt-1 list-disc pl-5 text-sm text-danger">
            {clashes.map((clash) => (
              <li key={`${clash.kind} ${clash.what} ${clash.day} ${clash.from}`}>{clashText(clash)}</li>
            ))}
          </ul>
        )}
      </section>
      <WeekGrid blocks={blocks} clashes={clashes} />
      {asText.length > 0 && (
        <section aria-labelledby="text-heading">
          <h3 id="text-heading" className="font-semibold">
            시간을 요일과 교시로 읽을 수 없는 과목 {asText.length}개
          </h3>
          <ul className="mt-1 list-disc pl-5 text-sm">
            {asText.map(({ subject, texts }) => (
              <li key={subjectKey(subject)}>
                <strong className="font-semibold">
                  {subject.name} ({subject.id})
                </strong>{' '}
                {texts.join(' · ')}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
