import { SERVER_TIME_HEADER } from '#contract/readings';
import { bridgeEnvSchema } from '../config.ts';
import { createClock } from '../clock.ts';
import { createIngestClient, type IngestFailure } from '../deliver/ingest-client.ts';
import { errorText } from '../log.ts';
import { explainError, currentInstallation } from '../system-error.ts';

/* cps-setup checks the ingest worker before it changes anything, and the bridge at the end. */

const PATIENCE_MS = 10_000;
const ADDRESS = 'npm run deploy prints its address, https://cps-lab-ingest.<account>.workers.dev';

/** Explains a failure to the person who sets the machine up. */
const MEANINGS: Record<IngestFailure, string> = {
  ingest_unauthorized:
    'the ingest worker does not know this name with this key. npm run bridge -- key list --remote shows the names, add <name> --remote makes a new key',
  ingest_wrong_clock:
    "this machine's clock differs too much from the ingest worker's: set it (timedatectl) and try again",
  ingest_too_many_requests: 'the ingest worker was asked too often: wait a minute and try again',
  ingest_failing: 'the ingest worker itself fails: its log says why (npx wrangler tail cps-lab-ingest)',
  ingest_unavailable: 'the ingest worker is not available now: wait a minute and try again',
  ingest_refused: 'its version does not understand this bridge: deploy the newer version (npm run deploy)',
  ingest_no_receipt: 'another server answers, not the ingest worker: check the address',
  ingest_unreachable: 'the ingest worker cannot be reached: try again',
  ingest_timed_out: `the ingest worker did not answer within ${PATIENCE_MS / 1000} seconds: try again`,
};

export const failureMeaning = (failure: string) =>
  Object.entries(MEANINGS).find(([known]) => known === failure)?.[1] ?? failure;

/** Describes the problem if no ingest worker answers at the address; null if one answers. */
async function strangerAt(url: string): Promise<string | null> {
  try {
    const target = new URL('health', url.endsWith('/') ? url : `${url}/`);
    const response = await fetch(target, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.body?.cancel();
    if (response.headers.has(SERVER_TIME_HEADER)) return null;
    return `another server answers there, not the ingest worker (HTTP ${response.status}): ${ADDRESS}`;
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return isLate
      ? `no server answers there within ${PATIENCE_MS / 1000} seconds: ${ADDRESS}`
      : explainError(error);
  }
}

type Bridge = { INGEST_URL: string; BRIDGE_ID: string; BRIDGE_KEY: string };

/** Why the ingest worker rejects the bridge's signature; null if it accepts the signature. */
export async function signatureRefusal({
  INGEST_URL,
  BRIDGE_ID,
  BRIDGE_KEY,
}: Bridge): Promise<string | null> {
  const stranger = await strangerAt(INGEST_URL);
  if (stranger !== null) return stranger;
  const client = createIngestClient({
    url: INGEST_URL,
    bridgeId: BRIDGE_ID,
    key: BRIDGE_KEY,
    timeoutMs: PATIENCE_MS,
    clock: createClock(),
  });
  // This machine's clock may be wrong. The server's answer corrects it.
  const unanswered = await client.askTime();
  if (unanswered !== null) return MEANINGS[unanswered.failure];
  const answer = await client.sendHeartbeat({ broker_connected: false, valid_for_ms: 1000 });
  return answer.arrived ? null : MEANINGS[answer.failure];
}

/** Asks the running bridge for its state. Returns the text to print. */
export async function requestBridgeHealth(
  env: Record<string, string | undefined>,
): Promise<{ exitCode: number; text: string }> {
  const port = bridgeEnvSchema.shape.HEALTH_PORT.safeParse(env['HEALTH_PORT'] || undefined);
  if (!port.success) return { exitCode: 78, text: `HEALTH_PORT ${port.error.issues[0]?.message ?? ''}` };
  try {
    const response = await fetch(`http://127.0.0.1:${port.data}/health`);
    const text = JSON.stringify(await response.json(), null, 2);
    return { exitCode: response.ok ? 0 : 1, text };
  } catch (error) {
    return {
      exitCode: 1,
      text: `no bridge answers here (${errorText(error)}): ${currentInstallation() === 'pi' ? 'journalctl -u bridge' : 'its output'} says why`,
    };
  }
}
