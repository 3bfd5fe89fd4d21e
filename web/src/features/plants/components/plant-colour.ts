const COLOURS = 6;

/** A plant's colour from tokens.css, dashed beyond the last colour. */
export function plantColour(number: number): { stroke: string; dash: string | undefined } {
  return {
    stroke: `var(--plant-${(number % COLOURS) + 1})`,
    dash: number < COLOURS ? undefined : '6 4',
  };
}
