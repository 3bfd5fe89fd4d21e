import { afterAll, beforeEach, type TaskMeta } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    routes?: string[];
  }
}

/** The output of each product that this process has started, and how much is from earlier test files. */
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

/** Call in each test file. Records the API's routes that the file has used, for `npm test -- --changed`. */
export function recordReachedRoutes(): void {
  let meta: TaskMeta | undefined;
  beforeEach(({ task }) => void (meta = task.file.meta));
  afterAll(() => meta && (meta.routes = [...new Set(newRoutes())].toSorted()));
}
