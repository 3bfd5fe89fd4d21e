import { TryReading } from './components/try-reading.tsx';
import { DocLink } from './doc-link.tsx';

/** What a document's own words are drawn with, and what it may show besides: `web/vite/doc-components.ts` names them. */
export const docComponents = { a: DocLink, TryReading };
