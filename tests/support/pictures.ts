import { readFileSync } from 'node:fs';

/** The pictures of README.md in docs/images, each with the address and the source file of its screen. */
export const PICTURES = {
  'public-page': { at: '/en', screen: 'web/src/features/landing/screen.tsx' },
  grades: { at: '/manage_scores', screen: 'web/src/features/scores/screen.tsx' },
  plants: { at: '/manage_plants', screen: 'web/src/features/plants/screen.tsx' },
};

/** For each picture, the parts of its screen when `npm run screenshots` took it. */
export const PARTS_FILE = 'docs/images/parts.json';

/** The components, headings, sections and titles in the source of a screen, in their order. */
export function partsOf(screen: string): string[] {
  const named = /(?<=[\s({>])<([A-Z]\w+|h[1-3]|section|table)\b|\btitle="([^"]+)"/g;
  return [...readFileSync(screen, 'utf8').matchAll(named)].map(([, part, title]) => part ?? `title ${title}`);
}
