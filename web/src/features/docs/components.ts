import { TryReading } from './components/try-reading.tsx';
import { DocLink } from './doc-link.tsx';

/**
 * How a document's elements are rendered, and which components it may contain; `web/vite/doc-components.ts` lists their
 * names.
 */
export const docComponents = { a: DocLink, TryReading };
