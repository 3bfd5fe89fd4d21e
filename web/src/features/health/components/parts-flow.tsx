import type { HealthDetails } from '#contract/health';
import { path, standings, type Standing } from '../labels.ts';

const looks: Record<Standing, { text: string; box: string; tone: string; mark: string }> = {
  stands: {
    text: '정상',
    box: 'border-line bg-surface',
    tone: 'text-accent',
    mark: 'M4.5 8.3 7 10.8l4.5-5',
  },
  down: {
    text: '응답 없음',
    box: 'border-danger bg-danger-wash',
    tone: 'text-danger',
    mark: 'M5.2 5.2l5.6 5.6m0-5.6-5.6 5.6',
  },
  unknown: {
    text: '알 수 없음',
    box: 'border-dashed border-line-strong bg-surface',
    tone: 'text-ink-soft',
    mark: 'M4.8 8h6.4',
  },
};

/** The path of a reading from the broker to the screen, with the state of each part. */
export function PartsFlow({ parts }: { parts: HealthDetails['parts'] }) {
  const standing = standings(parts);
  return (
    <ol className="flex flex-col md:flex-row" data-testid="parts">
      {path.map(({ part, name, role }, at) => (
        <li key={part} className="flex flex-1 flex-col md:flex-row md:items-stretch">
          {at > 0 && <Arrow isBroken={standing[part] !== 'stands'} />}
          <div
            data-part={part}
            data-standing={standing[part]}
            className={`flex-1 rounded-lg border px-4 py-3 ${looks[standing[part]].box}`}
          >
            <p className="flex items-center gap-2 font-semibold">
              <Mark standing={standing[part]} />
              {name}
            </p>
            <p className="mt-0.5 text-sm text-ink-soft">{role}</p>
            <p className={`mt-1 text-sm font-semibold ${looks[standing[part]].tone}`}>
              {looks[standing[part]].text}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ standing }: { standing: Standing }) {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className={`size-4 shrink-0 ${looks[standing].tone}`}>
      <circle cx="8" cy="8" r="8" fill="currentColor" />
      <path
        d={looks[standing].mark}
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Points down on phones and right elsewhere. */
function Arrow({ isBroken }: { isBroken: boolean }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      className={`mx-auto my-1 size-6 shrink-0 rotate-90 md:mx-1 md:my-auto md:rotate-0 ${isBroken ? 'text-danger' : 'text-line-strong'}`}
    >
      <path
        d="M3 12h17m-5-5 5 5-5 5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeDasharray={isBroken ? '3 4' : undefined}
      />
    </svg>
  );
}
