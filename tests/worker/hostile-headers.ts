import { ORIGIN } from './support.ts';

export const hostileOrigins = [
  'https://evil.test',
  'null',
  'http://lab.test',
  'https://lab.test:8443',
  'https://sub.lab.test',
  'https://lab.test.evil.test',
  'https://evil-lab.test',
  'https://lab.test.',
  'https://lab.test@evil.test',
  `${ORIGIN}, https://evil.test`,
];

/** What a browser, or somebody who pretends to be one, says of a page that is not ours. */
export const hostile: Record<string, string>[] = [
  ...hostileOrigins.map((origin) => ({ origin })),
  ...['cross-site', 'same-site', 'anything'].map((site) => ({ 'sec-fetch-site': site })),
  { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
];
