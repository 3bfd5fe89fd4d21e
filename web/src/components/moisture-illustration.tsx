/** A drawing of a week's moisture for nearly empty pages; with `hasGap`, for an error, the line has a gap. */
export function MoistureIllustration({ hasGap = false }: { hasGap?: boolean }) {
  const [dried, watered] = ['M0 44C60 52 100 58 160 64', 'M240 70 250 12C330 34 420 46 560 56'];
  return (
    <svg aria-hidden viewBox="0 0 560 84" fill="none" className="w-full max-w-xl text-accent">
      <path d="M0 78H560" stroke="var(--line)" />
      <path d={dried} stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      <path
        d="M160 64 240 70"
        stroke={hasGap ? 'var(--line-strong)' : 'currentColor'}
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray={hasGap ? '1 8' : undefined}
      />
      <path
        d={watered}
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="555" cy="56" r="5" fill="currentColor" />
    </svg>
  );
}
