import { asciiText } from '../../lib/paste-table.ts';
import { groupBy } from '../../lib/collections.ts';

/** A fraction for exact arithmetic, because quotients of scores and weights may not be finite decimals. */
export type Fraction = { readonly n: bigint; readonly d: bigint };

export const ZERO_FRACTION: Fraction = { n: 0n, d: 1n };

/** Parses a typed decimal: `12.50`, `-.5`, or a number that JavaScript writes without an exponent. */
export function fractionOf(decimal: string | number): Fraction {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(String(decimal));
  if (!found) throw new Error(`${decimal} is no decimal`);
  const [, sign = '', whole = '', decimals = ''] = found;
  const n = BigInt(whole + decimals);
  return { n: sign === '-' ? -n : n, d: 10n ** BigInt(decimals.length) };
}

export function addFractions(a: Fraction, b: Fraction): Fraction {
  return a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function subtractFractions(a: Fraction, b: Fraction): Fraction {
  return addFractions(a, { n: -b.n, d: b.d });
}

export function multiplyFractions(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** Divides; `b` must be above zero. */
export function divideFractions(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d, d: a.d * b.n };
}

/** Compares two fractions: below zero if `a` is less than `b`, above zero if `a` is more. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const PLACES = 20;

/**
 * The nearest JavaScript number. Equal fractions give equal numbers, a larger fraction never gives a smaller
 * number, and a decimal gives the same number as its literal.
 */
export function fractionToNumber(fraction: Fraction): number {
  return Number(digitsOf(fraction, PLACES, 0n));
}

/** A decimal with at most this many places, rounded half up, without trailing zeros. */
export function fractionText(fraction: Fraction, places = 4): string {
  const text = digitsOf(fraction, places, fraction.d / 2n);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * The text of each fraction as `fractionText` writes it, with more places if two different fractions would
 * look equal. Fractions with the same `fractionToNumber` count as equal.
 */
export function distinctTexts(fractions: readonly Fraction[]): string[] {
  const texts = fractions.map((each) => fractionText(each));
  for (const alike of groupBy(fractions.entries(), ([at]) => texts[at]).values()) {
    const different = new Set(alike.map(([, each]) => fractionToNumber(each))).size;
    let longer = alike.map(([at]) => texts[at] ?? '');
    for (let places = 5; places <= PLACES && new Set(longer).size < different; places += 1) {
      longer = alike.map(([, each]) => fractionText(each, places));
    }
    for (const [place, [at]] of alike.entries()) texts[at] = longer[place] ?? '';
  }
  return texts;
}

/** @param more added to the scaled numerator before the division: 0 rounds down, `d / 2` rounds half up */
function digitsOf({ n, d }: Fraction, places: number, more: bigint): string {
  const size = n < 0n ? -n : n;
  const digits = ((size * 10n ** BigInt(places) + more) / d).toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return n < 0n && /[1-9]/.test(digits) ? `-${text}` : text;
}

/**
 * The number in a cell: `85`, `85.5`, `.5`, `-5`, `+5`, `1,000`, `８５`, `85점`, `93%`. Undefined for other
 * text, even if JavaScript would accept it (`1e3`, `0x10`, `Infinity`).
 */
export function readNumber(cell: string): number | undefined {
  const digits = readDigits(cell);
  // Sums of decimals in other programs end in digits such as `79.10000000000001`.
  return digits === undefined ? undefined : Number(Number(digits).toPrecision(EXACT_DIGITS));
}

/** So many digits of a number are the same in every program. */
const EXACT_DIGITS = 13;

/** Points with full marks: `80 / 100`, `95/100`. Without spaces, `3/15` may be a date. */
const SHARE = /^(\d+(?:\.\d+)?)(?:\s+\/\s+([1-9]\d{0,3})|\/(3[2-9]|[4-9]\d|[1-9]\d\d))$/;

/** The number in a cell as plain digits, for exact decimal arithmetic. */
export function readDigits(cell: string): string | undefined {
  const text = asciiText(cell).replace(/\s*(점|회|%)$/, '');
  const [, part, whole = '', plain = whole] = SHARE.exec(text) ?? [];
  if (part !== undefined)
    return fractionText(
      divideFractions(multiplyFractions(fractionOf(part), PERCENT), fractionOf(plain)),
      PLACES,
    );
  return /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) || /^[+-]?\.\d+$/.test(text)
    ? text.replaceAll(',', '')
    : undefined;
}

/** Whether the cell is a percentage of the full marks. */
export const isPercentCell = (cell: string) =>
  SHARE.test(asciiText(cell)) || (asciiText(cell).endsWith('%') && readDigits(cell) !== undefined);

const PERCENT = fractionOf(100);

/** The digits of a score in points. A percentage is converted to points, with the full marks as 100 %. */
export function readPoints(cell: string, full = 100): string | undefined {
  const digits = readDigits(cell);
  if (digits === undefined || !isPercentCell(cell)) return digits;
  return fractionText(
    divideFractions(multiplyFractions(fractionOf(digits), fractionOf(full)), PERCENT),
    PLACES,
  );
}
