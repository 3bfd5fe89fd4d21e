/** Widths of the intervals in plant_rollups in milliseconds: 5 min, 30 min, 3 h, 1 d, 8 d, 64 d, 512 d. */
export const ROLLUP_WIDTHS = [
  300_000, 1_800_000, 10_800_000, 86_400_000, 691_200_000, 5_529_600_000, 44_236_800_000,
] as const;
export const FINEST = ROLLUP_WIDTHS[0];

/** The width that stands for raw readings. */
export const RAW = 0;

/** From the first interval that can contain a reading to the end of the last one. */
export const ALL_TIME = { from: 0, to: 100 * ROLLUP_WIDTHS[6] } as const;

/** Instants in milliseconds since 1970: `from` inclusive, `to` exclusive. */
export type Range = { from: number; to: number };

/** The intervals of one width that begin in a range; for RAW, the readings in it. */
type Piece = Range & { width: number };

/**
 * Splits a range into the widest intervals that fit inside it, up to `width`, with ever finer pieces at both ends.
 * @param rawSince the start of the raw readings (a multiple of FINEST). Before it, the finest intervals take their
 *   place, and only those whose extremes lie in the range count
 */
export function cover({ from, to }: Range, width: number, rawSince = 0): Piece[] {
  const pieces: Piece[] = [];
  let left = from;
  let right = to;
  const widths = [RAW, ...ROLLUP_WIDTHS.filter((candidate) => candidate <= width)];
  for (const [at, current] of widths.entries()) {
    const wider = widths[at + 1];
    const inner = wider === undefined ? undefined : wholeStretches({ from: left, to: right }, wider);
    if (inner === undefined || inner.from >= inner.to) {
      pieces.push({ width: current, from: left, to: right });
      break;
    }
    pieces.push(
      { width: current, from: left, to: inner.from },
      { width: current, from: inner.to, to: right },
    );
    left = inner.from;
    right = inner.to;
  }
  return pieces.flatMap((piece) => standIns(piece, rawSince)).filter((piece) => piece.from < piece.to);
}

/** The part of a range that is covered by whole intervals of a width. */
export function wholeStretches({ from, to }: Range, width: number): Range {
  return { from: Math.ceil(from / width) * width, to: Math.floor(to / width) * width };
}

function standIns(piece: Piece, rawSince: number): Piece[] {
  if (piece.width !== RAW || piece.from >= rawSince) return [piece];
  const gone = { from: Math.floor(piece.from / FINEST) * FINEST, to: Math.min(piece.to, rawSince) };
  return [
    { width: FINEST, ...gone },
    { width: RAW, from: rawSince, to: piece.to },
  ];
}
