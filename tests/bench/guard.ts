import { startStack } from '../support/stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { median, type Row } from './table.ts';

const ROUNDS = 300;

/** What the session check costs of GET /api/users: requests without a query, with that query alone, and whole, in turn. */
export async function benchGuard(): Promise<Row[]> {
  const stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
  try {
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const unknownSession = `__Host-session=${'x'.repeat(43)}`;
    const kinds = {
      'no query (unknown path)': { path: '/api/nowhere', cookie: '' },
      'session query alone (unknown session)': { path: '/api/users', cookie: unknownSession },
      'GET /api/users': { path: '/api/users', cookie },
    };
    const times = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, { path, cookie }] of Object.entries(kinds)) {
        const started = performance.now();
        await (await fetch(stack.origin + path, { headers: { cookie } })).arrayBuffer();
        times.get(name)?.push(performance.now() - started);
      }
    }
    const [none = 0, session = 0, whole = 0] = [...times.values()].map(median);
    return [
      ...[...times].map(([name, values]) => ({
        figure: name,
        value: `${median(values).toFixed(2)} ms`,
        target: 'p50',
      })),
      {
        figure: "session check's share of GET /api/users",
        value: `${Math.round(((session - none) / whole) * 100)} %`,
        target: 'one query',
      },
    ];
  } finally {
    await stack.stop();
  }
}
