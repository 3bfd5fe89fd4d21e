/**
 * The moisture curve of the lab's own pots: dries slowly, is watered, dries again. Inlined, because it is
 * only decoration.
 */
export function MoistureLine() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1200 180"
      preserveAspectRatio="none"
      fill="none"
      className="size-full overflow-visible"
    >
      <path
        d="M-1400 96c150 12 270 36 390 54l7-106c123 12 243 68 363 96l7-100c203 16 503 72 633 96l6-106c114 10 204 74 312 98l7-80c75 10 145 40 215 56l7-82c113 14 243 90 358 120l7-102c98 14 188 52 288 72c130 26 270 38 400 44l7-120c153 16 353 76 553 102l7-94c133 16 253 56 433 86"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path d="M-1400 179.5H2600" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {[-1003, -633, 6, 325, 547, 912, 1607, 2167].map((x) => (
        <path
          key={x}
          d={`M${x} 172V180`}
          stroke="var(--accent)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
