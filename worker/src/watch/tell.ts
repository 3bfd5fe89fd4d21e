const TIMEOUT_MS = 10_000;

/** @throws Error without the address, which is a secret */
export async function tellWebhook(url: string, text: string): Promise<void> {
  await call('the webhook', url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ text }),
  });
}

/**
 * Pings a dead man's switch, which raises the alarm when the ping stays away. A GET, which every such service accepts.
 * @throws Error without the address, which is a secret
 */
export async function signLife(url: string): Promise<void> {
  await call('who waits for the sign of life', url, { method: 'GET' });
}

async function call(who: string, url: string, init: RequestInit): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { ...init, redirect: 'manual', signal }).catch((error: unknown) =>
    error instanceof Error ? error.name : 'unknown',
  );
  if (typeof answer === 'string') throw new Error(`${who} does not answer (${answer})`);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${who} answered ${answer.status}`);
}
