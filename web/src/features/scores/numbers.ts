import { asciiText } from '../../lib/paste-table.ts';
import { groupBy } from '../../lib/collections.ts';

/** Exact arithmetic: scores and weights are decimals, and their quotients need not be. */
export type Fraction = { readonly n: bigint; readonly d: bigint };

export const ZERO: Fraction = { n: 0n, d: 1n };

/** A decimal as it was typed: `12.50`, `-.5`, or a number that JavaScript writes without an exponent. */
export function fractionOf(decimal: string | number): Fraction {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(String(decimal));
  if (!found) throw new Error(`${decimal} is no decimal`);
  const [, sign = '', whole = '', decimals = ''] = found;
  const n = BigInt(whole + decimals);
  return { n: sign === '-' ? -n : n, d: 10n ** BigInt(decimals.length) };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { n: -b.n, d: b.d });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** `b` is above zero. */
export function dividedBy(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d, d: a.d * b.n };
}

/** Below zero if `a` is less than `b`, above if it is more. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const PLACES = 20;

/**
 * The nearest number of JavaScript. Equal fractions are equal numbers, the order is kept, and a decimal is the number
 * that one types for it.
 */
export function numberOf(fraction: Fraction): number {
  return Number(digitsOf(fraction, PLACES, 0n));
}

/** A decimal of at most so many places, rounded half up, without zeros at its end. */
export function textOf(fraction: Fraction, places = 4): string {
  const text = digitsOf(fraction, places, fraction.d / 2n);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Each as `textOf` has it; where two that differ would look alike, with as many places as tell them apart. Differences
 * that `numberOf` does not see are none.
 */
export function textsApart(fractions: readonly Fraction[]): string[] {
  const texts = fractions.map((each) => textOf(each));
  for (const alike of groupBy(fractions.entries(), ([at]) => texts[at]).values()) {
    const different = new Set(alike.map(([, each]) => numberOf(each))).size;
    let longer = alike.map(([at]) => texts[at] ?? '');
    for (let places = 5; places <= PLACES && new Set(longer).size < different; places += 1) {
      longer = alike.map(([, each]) => textOf(each, places));
    }
    for (const [place, [at]] of alike.entries()) texts[at] = longer[place] ?? '';
  }
  return texts;
}

/** @param more what is added to the numerator's last place before the rest is cut off */
function digitsOf({ n, d }: Fraction, places: number, more: bigint): string {
  const size = n < 0n ? -n : n;
  const digits = ((size * 10n ** BigInt(places) + more) / d).toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return n < 0n && /[1-9]/.test(digits) ? `-${text}` : text;
}

/**
 * The number in a cell: `85`, `85.5`, `.5`, `-5`, `+5`, `1,000`, `８５`, `85점`, `93%`. Undefined for anything else, including what
 * JavaScript would accept (`1e3`, `0x10`, `Infinity`).
 */
export function readNumber(cell: string): number | undefined {
  const digits = readDigits(cell);
  return digits === undefined ? undefined : Number(digits);
}

/** The same as plain digits, for arithmetic that is exact in decimal. */
export function readDigits(cell: string): string | undefined {
  const text = asciiText(cell).replace(/\s*(점|회|%)$/, '');
  return /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) || /^[+-]?\.\d+$/.test(text)
    ? text.replaceAll(',', '')
    : undefined;
}

/** Whether a cell says how many percent of the full marks were reached. */
export const isPercentCell = (cell: string) =>
  asciiText(cell).endsWith('%') && readDigits(cell) !== undefined;

const PERCENT = fractionOf(100);

/** A score in points: of a percent cell its share of the full marks, of which 100 are usual. */
export function pointsIn(cell: string, full = 100): string | undefined {
  const digits = readDigits(cell);
  if (digits === undefined || !isPercentCell(cell)) return digits;
  return textOf(dividedBy(times(fractionOf(digits), fractionOf(full)), PERCENT), PLACES);
}
