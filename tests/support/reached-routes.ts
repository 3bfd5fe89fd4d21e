import { afterAll, beforeEach, type TaskMeta } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    routes?: string[];
  }
}

/** What the products of this process have printed, and how much of it is of earlier files. */
const outputs: { text: () => string; read: number }[] = [];
export const noteRoutesOf = (text: () => string) => void outputs.push({ text, read: 0 });

const REQUEST = /"event":"request","request_id":"[^"]*","method":"(\w+)","route":"(\/api[^"]*)"/g;

function newRoutes(): string[] {
  return outputs.flatMap((output) => {
    const text = output.text().slice(output.read);
    output.read += text.length;
    return [...text.matchAll(REQUEST)].map(([, method, route]) => `${method} ${route}`);
  });
}

/** To be called in each file: `npm test -- --changed` asks which routes it reached when it ran last. */
export function recordReachedRoutes(): void {
  let meta: TaskMeta | undefined;
  beforeEach(({ task }) => void (meta = task.file.meta));
  afterAll(() => meta && (meta.routes = [...new Set(newRoutes())].toSorted()));
}
