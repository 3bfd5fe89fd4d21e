import { request } from 'node:http';
import { portsOf } from './stack-processes.ts';
import type { Stack } from './stack.ts';

type Answer = { status: number; type: string };

/** The answer to a request over loopback with this host name; undefined if no HTTP server answers. */
function askedAs(
  host: string,
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path, headers: { ...headers, host }, timeout: 5000 };
    const asking = request(options, (answer) => {
      answer.resume();
      answer.on('close', () =>
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '' }),
      );
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(undefined));
    asking.end();
  });
}

const portOf = (url: string) => Number(new URL(url).port);
const httpPorts = ({ origin, ingestUrl, bridgeHealthUrl }: Stack) =>
  [origin, ingestUrl, bridgeHealthUrl].map(portOf);

/** Headers that a web page of an attacker may send with a false host name; Miniflare obeys two of them. */
const pretences: Record<string, string>[] = [
  {},
  { 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'http', forwarded: 'host=localhost' },
  { 'mf-original-url': 'http://127.0.0.1/api/login/provider' },
  { 'mf-route-override': 'cps-lab-api' },
  { 'mf-route-override': 'host-guard', 'mf-original-url': 'http://localhost/api/login/provider' },
];

/** Whether the answer is a refusal in plain text; also 404, if a header names a worker that does not exist. */
function isRefusal({ status, type }: Answer, headers: Record<string, string>): boolean {
  const statuses = headers['mf-route-override'] === undefined ? [421, 403] : [421, 403, 404];
  return statuses.includes(status) && type.startsWith('text/plain');
}

/** The answers of the stack's ports to a false host name that are not a refusal. */
export async function answersToOthers(stack: Stack): Promise<string[]> {
  const found: string[] = [];
  const ports = new Set([...httpPorts(stack), portOf(stack.brokerUrl), ...portsOf(stack)]);
  for (const port of ports) {
    const names = [
      'attacker.test',
      `attacker.test:${port}`,
      'localhost.attacker.test',
      '10.0.0.1',
      'x.localhost',
    ];
    for (const host of names)
      for (const path of [
        '/',
        '/api/login/provider',
        '/dev/identity/accounts',
        '/health',
        '/cdn-cgi/handler/scheduled',
      ])
        for (const headers of pretences) {
          const answer = await askedAs(host, port, path, headers);
          const isRefused = answer ? isRefusal(answer, headers) : !httpPorts(stack).includes(port);
          if (!isRefused) found.push(JSON.stringify({ host, port, path, headers, answer }));
        }
  }
  return found;
}

/** Allowed host names that the stack refuses; `other` is one of LOCAL_HOSTS. */
export async function ownNamesRefused(stack: Stack, other: string): Promise<string[]> {
  const found: string[] = [];
  const wanted = [
    [stack.origin, '/api/login/provider', other],
    [stack.ingestUrl, '/health', other],
    [stack.bridgeHealthUrl, '/health', 'localhost'],
  ] as const;
  for (const [url, path, more] of wanted) {
    const port = portOf(url);
    for (const host of [more, 'localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      const answer = await askedAs(host, port, path);
      if (answer?.status !== 200) found.push(JSON.stringify({ host, port, answer }));
    }
  }
  return found;
}
