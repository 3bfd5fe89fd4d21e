import { call } from '../receivers/send.ts';

/**
 * Pings a dead man's switch, which raises the alarm when the ping stays away. A GET, which every such service accepts.
 * @throws Error without the address, which is a secret
 */
export async function signLife(url: string): Promise<void> {
  const failure = await call(url, { method: 'GET' });
  if (failure !== undefined) throw new Error(`who waits for the sign of life: ${failure}`);
}
