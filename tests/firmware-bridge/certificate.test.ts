import { createServer, type Server } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { certificateExpiry, watchCertificateExpiry } from '../../firmware-bridge/src/broker/certificate.ts';
import { createSelfSignedCertificate } from '../../local/certificate.ts';

const DAY_MS = 86_400_000;

/** A certificate that ends in so many days. `createSelfSignedCertificate` makes it for ten years, so it is made in the past. */
function certificateFor(days: number): { key: string; cert: string } {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (3650 - days) * DAY_MS });
  const { key, certificate } = createSelfSignedCertificate(['127.0.0.1']);
  vi.useRealTimers();
  return { key, cert: certificate };
}

async function broker(days: number): Promise<{ server: Server; url: string }> {
  const server = createServer(certificateFor(days));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return { server, url: `mqtts://127.0.0.1:${address.port}` };
}

const daysLeft = (end: number | null) => end && Math.round((end - Date.now()) / DAY_MS);

test('OPS-10 the end of the certificate is read that the broker shows, trusted or not, and a renewed one at the next look', async () => {
  const { server, url } = await broker(20);
  expect(daysLeft(await certificateExpiry({ url }))).toBe(20);
  let changes = 0;
  const certificate = watchCertificateExpiry({ url }, () => (changes += 1));
  await certificate.look();
  expect(daysLeft(certificate.end())).toBe(20);
  server.setSecureContext(certificateFor(365));
  await certificate.look();
  expect(daysLeft(certificate.end())).toBe(365);
  expect(changes).toBe(2);
  // Without an answer, the last known end stays.
  server.close();
  await certificate.look();
  expect(daysLeft(certificate.end())).toBe(365);
});

test.each(['mqtt://127.0.0.1:1', 'mqtts://127.0.0.1:1'])('OPS-10 %s shows no certificate', async (url) => {
  expect(await certificateExpiry({ url })).toBeNull();
});
