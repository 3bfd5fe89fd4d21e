import { buildEdgeCode } from './vite/prerender.ts';

await buildEdgeCode();
