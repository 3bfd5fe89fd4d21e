const CODES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').filter((code) => code !== 'KRW'),
);
const MULTIPLES: Readonly<Record<string, number>> = {
  천: 1e3,
  만: 1e4,
  십만: 1e5,
  백만: 1e6,
  천만: 1e7,
  억: 1e8,
  '1000': 1e3,
  '1000000': 1e6,
  thousand: 1e3,
  million: 1e6,
};
const MULTIPLE =
  /(?<many>십만|백만|천만|천|만|억) ?(?:원|KRW|won)|(?:단위|unit)[\s:：(]*(?:KRW|₩)?\s*(?<alone>십만|백만|천만|천|만|억|1000(?:000)?(?!\d))|(?<english>thousand|million)s?\b/i;
const SIGN = /[\p{Sc}]|달러|유로|엔화|위안|RMB|파운드|외화|(?<!\p{L})[엔불](?!\p{L})/gu;
const WON = /[₩￦]/g;

/** A unit of money other than the won, and its value in won, or 0 for a currency, whose rate is unknown. */
type MoneyUnit = { name: string; won: number };

/** Finds the unit in a header, a line above it, a cell or a number format: `천원`, `$`, `USD`, `외화`. */
export function moneyUnit(text: string): MoneyUnit | undefined {
  const plain = text.normalize('NFKC').replace(WON, '');
  const foreign = plain.match(SIGN)?.[0] ?? plain.match(/[A-Z]{3,}/g)?.find((word) => CODES.has(word));
  if (foreign !== undefined) return { name: foreign, won: 0 };
  const { many, alone, english } = MULTIPLE.exec(text.normalize('NFKC').replaceAll(',', ''))?.groups ?? {};
  const name = many ?? alone ?? english?.toLowerCase();
  return name === undefined ? undefined : { name: english ?? `${name}원`, won: MULTIPLES[name] ?? 0 };
}
