import { FINEST, ROLLUP_WIDTHS } from '#contract/rollups';

/** The width that stands for raw readings. */
export const RAW = 0;

/** From the first interval that can contain a reading to the end of the last one. */
export const ALL_TIME = { from: 0, to: 100 * ROLLUP_WIDTHS[6] } as const;

/** Instants in milliseconds since 1970: `from` inclusive, `to` exclusive. */
export type Range = { from: number; to: number };

/** The intervals of one width that begin in a range; for RAW, the readings in it. */
type Piece = Range & { width: number };

/** Where there are raw readings and rollups: multiples of FINEST, `rawSince` not after `mark`. */
export type Kept = {
  /** The start of the raw readings. */
  rawSince: number;
  /** Rollups of every interval that ends by then are written, and no other ones. */
  mark: number;
};

/**
 * Splits a range into the widest intervals that fit inside it and are written, up to `width`, with ever finer pieces at
 * both ends and raw readings after the mark. Before the raw readings the finest intervals take their place, and only
 * those whose extremes lie in the range count.
 */
export function cover({ from, to }: Range, width: number, { rawSince, mark }: Kept): Piece[] {
  const written = { from, to: Math.max(from, Math.min(to, mark)) };
  const fresh = { width: RAW, from: written.to, to };
  return [...coverWritten(written, width).flatMap((piece) => standIns(piece, rawSince)), fresh].filter(
    (piece) => piece.from < piece.to,
  );
}

function coverWritten({ from, to }: Range, width: number): Piece[] {
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
  return pieces;
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
