import { DAY_NAMES, PERIODS, periodStart } from '../timetable.ts';
import { placeDay, slotText, type Block, type Clash, type Placed } from '../week.ts';

const LAST_HOUR_AT_LEAST = 18 * 60;

/** Not every browser lets the keyboard scroll an area without focusable content. */
const keyboardScrolled = { tabIndex: 0 };

type Props = { blocks: readonly Block[]; clashes: readonly Clash[] };

/** Monday to Saturday. Scrolls sideways when wider than the screen; the subject list is the accessible alternative. */
export function WeekGrid({ blocks, clashes }: Props) {
  const start = Math.min(PERIODS.firstStart, ...blocks.map(({ from }) => Math.floor(from / 60) * 60));
  const end = Math.max(LAST_HOUR_AT_LEAST, ...blocks.map(({ to }) => Math.ceil(to / 60) * 60));
  const hours = Array.from({ length: (end - start) / 60 }, (_, index) => start + index * 60);
  const marks = clashMarks(clashes);
  const days = DAY_NAMES.map((name, day) => {
    const placed = placeDay(blocks.filter((block) => block.day === day));
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

type CardProps = { placed: Placed; start: number; end: number; mark: string | undefined };

function BlockCard({ placed: { block, lane, lanes }, start, end, mark }: CardProps) {
  const { subject, from, to, room } = block;
  const share = (minutes: number) => `${(minutes / (end - start)) * 100}%`;
  return (
    <li
      data-subject={subject.id}
      data-clash={mark}
      title={`${subject.name}(${subject.id}) ${slotText(block)} ${room ?? ''} ${subject.prof}`}
      className={`absolute overflow-hidden rounded-sm border p-1 ${mark === undefined ? 'border-accent bg-accent-wash' : 'week-clash border-2 border-danger'}`}
      style={{
        top: share(from - start),
        height: share(to - from),
        left: `${(lane / lanes) * 100}%`,
        width: `${100 / lanes}%`,
      }}
    >
      {mark !== undefined && <strong className="block text-danger">{mark}</strong>}
      <span className="font-semibold">{subject.name}</span>
      <span className="block">{slotText(block).slice(2)}</span>
      <span className="block text-ink-soft">
        {[subject.id, room, subject.prof].filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}

/** Text on clashing blocks. */
function clashMarks(clashes: readonly Clash[]): Map<string, string> {
  const kinds = new Map<string, Set<string>>();
  for (const { kind, blocks } of clashes) {
    for (const { key } of blocks) {
      kinds.set(key, new Set([...(kinds.get(key) ?? []), kind === 'room' ? '강의실' : '교수']));
    }
  }
  return new Map([...kinds].map(([key, words]) => [key, `⚠${[...words].join('·')} 겹침`]));
}

function periodOf(minutes: number): number {
  return (minutes - periodStart(1)) / PERIODS.length + 1;
}
