import { once } from 'node:events';

// Whoever reads the output may leave; that must not end the bridge, nor a command half-way.
process.stdout.on('error', () => undefined);

/** Writes a line of a command's output; resolves when there is room for the next, or nobody to read it. */
export async function print(line: string): Promise<void> {
  const { stdout } = process;
  if (stdout.writable && !stdout.write(`${line}\n`)) await once(stdout, 'drain').catch(() => undefined);
}
