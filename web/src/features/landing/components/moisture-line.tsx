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
        d="M-400 60 C-220 68 -90 118 0 136 L6 30 C120 40 210 104 318 128 L325 48 C400 58 470 88 540 104 L547 22 C660 36 790 112 905 142 L912 40 C1010 54 1100 92 1200 112 C1330 138 1470 150 1600 156"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path d="M-400 179.5H1600" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {[6, 325, 547, 912].map((x) => (
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
