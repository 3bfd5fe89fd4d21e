import type { HealthDetails } from '#contract/health';

const steps = [
  { part: 'broker', name: 'MQTT 브로커', role: '보드의 값을 받습니다' },
  { part: 'bridge', name: '브리지', role: '디스크에 적고 보냅니다' },
  { part: 'ingest', name: '수집 워커', role: '서명을 확인하고 저장합니다' },
  { part: 'api', name: 'API와 데이터베이스', role: '화면에 답합니다' },
] as const;

/** The way of a reading, drawn: from the broker to the screen, each part as it stands. */
export function PartsFlow({ parts }: { parts: HealthDetails['parts'] }) {
  return (
    <ol className="flex flex-col md:flex-row" data-testid="parts">
      {steps.map(({ part, name, role }, at) => (
        <li key={part} className="flex flex-1 flex-col md:flex-row md:items-stretch">
          {at > 0 && <Arrow isBroken={!parts[part]} />}
          <div
            data-part={part}
            data-stands={parts[part]}
            className={`flex-1 rounded-lg border px-4 py-3 ${parts[part] ? 'border-line bg-surface' : 'border-danger bg-danger-wash'}`}
          >
            <p className="flex items-center gap-2 font-semibold">
              <Mark stands={parts[part]} />
              {name}
            </p>
            <p className="mt-0.5 text-sm text-ink-soft">{role}</p>
            <p className={`mt-1 text-sm font-semibold ${parts[part] ? 'text-accent' : 'text-danger'}`}>
              {parts[part] ? '정상' : '응답 없음'}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ stands }: { stands: boolean }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${stands ? 'text-accent' : 'text-danger'}`}
    >
      <circle cx="8" cy="8" r="8" fill="currentColor" />
      <path
        d={stands ? 'M4.5 8.3 7 10.8l4.5-5' : 'M5.2 5.2l5.6 5.6m0-5.6-5.6 5.6'}
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Points down on a phone and to the right elsewhere. */
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
