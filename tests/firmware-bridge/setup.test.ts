import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { signatureRefusal } from '../../firmware-bridge/src/commands/setup-check.ts';
import { answerProblem, brokerAddressNote } from '../../firmware-bridge/src/commands/setup-command.ts';
import { startIngest } from './support/ingest.ts';

const BRIDGE_KEY = 'k'.repeat(40);
const HANGUL = /\p{Script=Hangul}/u;

/** A server that is not an ingest worker, such as the site or a router's page. */
async function startStranger(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end('<h1>Welcome</h1>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test('OPS-7 setting up takes an ingest worker that knows the bridge, and says in English why another does not', async () => {
  const ingest = await startIngest();
  await ingest.run(
    `INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('greenhouse', '${BRIDGE_KEY}', 0)`,
  );
  const bridge = { INGEST_URL: ingest.url, BRIDGE_ID: 'greenhouse', BRIDGE_KEY };
  expect(await signatureRefusal(bridge)).toBeNull();
  for (const wrong of [{ BRIDGE_KEY: 'x'.repeat(40) }, { BRIDGE_ID: 'nobody' }]) {
    const refusal = await signatureRefusal({ ...bridge, ...wrong });
    expect(refusal).toContain('does not know this name with this key. npm run bridge -- key list --remote');
    expect(refusal).not.toMatch(HANGUL);
  }
});

test.each([200, 302, 404, 405, 500])(
  'OPS-7 of an address where something else answers (%i) it says that no ingest worker is there',
  async (status) => {
    const INGEST_URL = await startStranger(status);
    expect(await signatureRefusal({ INGEST_URL, BRIDGE_ID: 'greenhouse', BRIDGE_KEY })).toBe(
      `another server answers there, not the ingest worker (HTTP ${status}): npm run deploy prints its address, https://cps-lab-ingest.<account>.workers.dev`,
    );
  },
);

test.each([
  ['http://127.0.0.1:1', 'web addresses must not use its port'],
  ['http://127.0.0.1:1023', '127.0.0.1 port 1023 could not be reached: no program listens there'],
  ['http://ingest.invalid', 'ingest.invalid could not be reached'],
])('OPS-13 of the address %s it says why nobody answers, and a first step', async (INGEST_URL, told) => {
  const refusal = await signatureRefusal({ INGEST_URL, BRIDGE_ID: 'greenhouse', BRIDGE_KEY });
  expect(refusal).toContain(told);
  expect(refusal).toContain('First step: ');
});

test('OPS-7 a key that is typed for the name of the bridge is taken for a key, and no name is', () => {
  for (let tries = 0; tries < 1000; tries += 1) {
    const key = randomBytes(32);
    for (const typed of [key.toString('base64url'), key.toString('hex')])
      expect([typed, answerProblem('BRIDGE_ID', typed)]).toEqual([
        typed,
        expect.stringContaining('looks like a key'),
      ]);
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z._-]{1,40}$/), (name) => {
      expect(answerProblem('BRIDGE_ID', name)).toBeUndefined();
    }),
  );
});

test('OPS-7 at its end it says what boards are told, and how that is changed', () => {
  expect(brokerAddressNote('pi.lab.example')).toBe(
    'Boards connect to pi.lab.example, port 8883. To choose another name or address: cps-setup --broker-name <name>',
  );
  expect(brokerAddressNote('greenhouse.local')).toContain(
    'Some boards cannot find names that end in .local.',
  );
});
