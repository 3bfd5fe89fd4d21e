import { useMemo } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { EmptyPart } from '../../../components/part-state.tsx';
import { subjectKey, type ListedSubject } from '../merged.ts';
import {
  clashText,
  weekTimetable,
  placeBlocksOfDay,
  slotText,
  type WeekBlock,
  type Clash,
  type PlacedBlock,
} from '../week.ts';
import { DAY_NAMES, periodOf, PERIODS } from '../timetable.ts';

type Props = { title: string; subjects: readonly ListedSubject[]; isTicked: boolean };

/** Shows the selected subjects in a week. Lists clashes, and subjects that the week cannot show, as text. */
export function WeekView({ title, subjects, isTicked }: Props) {
  const { blocks, asText, clashes } = useMemo(() => weekTimetable(subjects), [subjects]);
  if (subjects.length === 0) return <EmptyPart text="시간표에 넣을 과목이 없습니다." />;
  return (
    <div className="week-sheet space-y-4">
      <div className="flex items-start justify-between gap-2">
        <div>
          <h2 className="text-lg font-semibold">
            {title} 주간 시간표{' '}
            {clashes.length === 0 && (
              <span className="ml-1 rounded-sm bg-accent-wash px-1.5 py-0.5 align-middle text-xs text-accent">
                겹침 0건
              </span>
            )}
          </h2>
          <p className="text-sm text-ink-soft tabular-nums">
            {isTicked ? `선택한 ${subjects.length}개 과목` : `과목 ${subjects.length}개 전체`}
            <span className="print:hidden">
              {isTicked ? '' : ' · 과목 목록에서 선택하면 그 과목만 표시합니다.'}
            </span>
          </p>
        </div>
        <Button variant="outline" size="sm" className="shrink-0 print:hidden" onClick={() => print()}>
          인쇄
        </Button>
      </div>
      {clashes.length > 0 && (
        <section aria-labelledby="clash-heading">
          <h3 id="clash-heading" className="font-semibold">
            겹침 {clashes.length}건
          </h3>
          <ul className="mt-1 list-disc pl-5 text-sm text-danger">
            {clashes.map((clash) => (
              <li key={`${clash.kind} ${clash.what} ${clash.day} ${clash.from}`}>{clashText(clash)}</li>
            ))}
          </ul>
        </section>
      )}
      <WeekGrid blocks={blocks} clashes={clashes} />
      {asText.length > 0 && (
        <section aria-labelledby="text-heading">
          <h3 id="text-heading" className="font-semibold">
            시간표에 넣지 않은 과목 {asText.length}개
          </h3>
          <ul className="mt-1 list-disc pl-5 text-sm">
            {asText.map(({ subject, text }) => (
              <li key={subjectKey(subject)}>
                <strong className="font-semibold">
                  {subject.name} ({subject.id})
                </strong>{' '}
                {text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const LAST_HOUR_AT_LEAST = 18 * 60;

/** Some browsers cannot scroll an area by keyboard if the area has no focusable content. */
const keyboardScrolled = { tabIndex: 0 };

type WeekGridProps = { blocks: readonly WeekBlock[]; clashes: readonly Clash[] };

/** Monday to Saturday. Scrolls sideways on narrow screens; the subject list is the accessible alternative. */
function WeekGrid({ blocks, clashes }: WeekGridProps) {
  const start = Math.min(PERIODS.firstStart, ...blocks.map(({ from }) => Math.floor(from / 60) * 60));
  const end = Math.max(LAST_HOUR_AT_LEAST, ...blocks.map(({ to }) => Math.ceil(to / 60) * 60));
  const hours = Array.from({ length: (end - start) / 60 }, (_, index) => start + index * 60);
  const marks = clashMarks(clashes);
  const days = DAY_NAMES.map((name, day) => {
    const placed = placeBlocksOfDay(blocks.filter((block) => block.day === day));
    return { name, placed, lanes: Math.max(1, ...placed.map((each) => each.lanes)) };
  });
  const height = `calc(var(--hour) * ${hours.length})`;
  return (
    <section
      aria-label="주간 시간표"
      {...keyboardScrolled}
      className="week-grid overflow-x-auto rounded-md border border-line bg-surface"
    >
      <div className="flex min-w-max text-xs print:min-w-0 leading-tight tabular-nums">
        <div aria-hidden className="sticky left-0 z-10 w-14 shrink-0 border-r border-line bg-surface pt-8">
          {hours.map((minutes) => (
            <div
              key={minutes}
              style={{ height: 'var(--hour)' }}
              className="border-t border-line px-1 pt-0.5 text-right"
            >
              {minutes / 60}시
              {minutes >= PERIODS.firstStart && (
                <span className="block text-ink-soft">{periodOf(minutes)}교시</span>
              )}
            </div>
          ))}
        </div>
        {days.map(({ name, placed, lanes }) => (
          <div
            key={name}
            className="basis-0 border-r border-line last:border-r-0"
            style={{ minWidth: `calc(var(--lane) * ${lanes})`, flexGrow: lanes }}
          >
            <h4 className="flex h-8 items-center justify-center bg-sunken text-sm font-semibold">{name}</h4>
            <ul aria-label={`${name}요일`} className="week-hours relative" style={{ height }}>
              {placed.map((each) => (
                <BlockCard
                  key={each.block.key}
                  placed={each}
                  start={start}
                  end={end}
                  mark={marks.get(each.block.key)}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

/** Number of text lines in a block: an hour is 76 px (`--hour`), a line 15 px, padding and border 10 px. */
const linesIn = (minutes: number) => Math.floor((minutes * (76 / 60) - 10) / 15);

type CardProps = { placed: PlacedBlock; start: number; end: number; mark: string | undefined };

function BlockCard({ placed: { block, lane, lanes }, start, end, mark }: CardProps) {
  const { subject, from, to } = block;
  const place = [block.room, block.weeks].filter((text) => text !== undefined).join(' · ');
  const share = (minutes: number) => `${(minutes / (end - start)) * 100}%`;
  return (
    <li
      data-subject={subject.id}
      data-clash={mark}
      title={`${subject.name}(${subject.id}) ${slotText(block)} ${place} ${subject.prof}`}
      className={`absolute flex flex-col overflow-hidden rounded-sm border p-1 ${mark === undefined ? 'border-accent bg-accent-wash' : 'week-clash border-2 border-danger'}`}
      style={{
        top: share(from - start),
        height: share(to - from),
        left: `${(lane / lanes) * 100}%`,
        width: `${100 / lanes}%`,
      }}
    >
      {mark !== undefined && <strong className="shrink-0 truncate text-danger">{mark}</strong>}
      <span
        className="line-clamp-1 min-h-0 font-semibold wrap-anywhere"
        style={{ WebkitLineClamp: Math.max(1, linesIn(to - from) - (mark === undefined ? 1 : 2)) }}
      >
        {subject.name}
      </span>
      <span className="sr-only">{slotText(block)}</span>
      <span className="shrink-0 truncate text-ink-soft">{place}</span>
    </li>
  );
}

/** The text shown on each block that clashes. */
function clashMarks(clashes: readonly Clash[]): Map<string, string> {
  const kinds = new Map<string, Set<string>>();
  for (const { kind, blocks } of clashes) {
    for (const { key } of blocks) {
      kinds.set(key, new Set([...(kinds.get(key) ?? []), kind === 'room' ? '강의실' : '교수']));
    }
  }
  return new Map([...kinds].map(([key, words]) => [key, `⚠${[...words].join('·')} 겹침`]));
}
