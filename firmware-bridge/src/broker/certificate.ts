import { HOUR_MS } from '#contract/time';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Config } from '../config.ts';

/** How often to open a new connection: the bridge's own may last for months and show an old certificate. */
const EVERY_MS = 6 * HOUR_MS;
const PATIENCE_MS = 10_000;
const PORTS: Record<string, number> = { 'mqtts:': 8883, 'wss:': 443 };

type Broker = Pick<Config['mqtt'], 'url' | 'ca'>;

/** When the broker's certificate expires (ms since 1970); null without TLS, or without an answer. */
export async function certificateExpiry({ url, ca }: Broker): Promise<number | null> {
  const { protocol, hostname, port } = new URL(url);
  const usual = PORTS[protocol];
  if (usual === undefined) return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return await new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port) || usual,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      // Otherwise an expired certificate could not be read. This is safe, because nothing is sent.
      rejectUnauthorized: false,
      timeout: PATIENCE_MS,
    });
    const answer = (end: number | null) => {
      socket.destroy();
      resolve(end);
    };
    socket.on('secureConnect', () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      answer(Number.isNaN(end) ? null : end);
    });
    socket.on('error', () => answer(null));
    socket.on('timeout', () => answer(null));
  });
}

/**
 * Checks regularly when the certificate expires; `look` checks now. `end`: the last known expiry, or null.
 */
export function watchCertificateExpiry(broker: Broker, changed: () => void) {
  let end: number | null = null;
  async function look(): Promise<void> {
    const seen = (await certificateExpiry(broker)) ?? end;
    if (seen === end) return;
    end = seen;
    changed();
  }
  const looking = setInterval(() => void look(), EVERY_MS).unref();
  void look();
  return { end: () => end, look, stop: () => clearInterval(looking) };
}
