import { vi } from 'vitest';

/** All bridges in this process write to one output, so each listener gets the lines of all. */
const listeners = new Set<{ lines: string[] }>();
let giveBack = () => {};

function takeOutput(): void {
  const write = process.stdout.write.bind(process.stdout);
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    const line = String(text);
    if (!line.startsWith('{')) return write(text);
    for (const { lines } of listeners) lines.push(line);
    return true;
  });
  giveBack = () => spy.mockRestore();
}

/** Collects the JSON lines that this process writes, until `end`; other output is not changed. */
export function listenToLog(): { text: () => string; end: () => void } {
  const listener = { lines: [] };
  if (listeners.size === 0) takeOutput();
  listeners.add(listener);
  return {
    text: () => listener.lines.join(''),
    end: () => {
      if (listeners.delete(listener) && listeners.size === 0) giveBack();
    },
  };
}
