/**
 * The curve that the lab's own pots draw: soil dries slowly, is watered, dries again.
 * Decoration, drawn here rather than loaded.
 */
export function MoistureLine() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1200 180"
      preserveAspectRatio="none"
      fill="none"
      className="h-28 w-full overflow-visible sm:h-40"
    >
      <path
        d="M-1400 96 C-1250 108 -1130 132 -1010 150 L-1003 44 C-880 56 -760 112 -640 140 L-633 40 C-430 56 -130 112 0 136 L6 30 C120 40 210 104 318 128 L325 48 C400 58 470 88 540 104 L547 22 C660 36 790 112 905 142 L912 40 C1010 54 1100 92 1200 112 C1330 138 1470 150 1600 156 L1607 36 C1760 52 1960 112 2160 138 L2167 44 C2300 60 2420 100 2600 130"
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
