import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { freePorts } from './ports.ts';

/*
 * Controls Debian's Firefox (firefox-esr) by https://www.w3.org/TR/webdriver-bidi/ and Debian's WebKit
 * (webkit2gtk-driver, xvfb) by https://www.w3.org/TR/webdriver2/, because Playwright cannot.
 */

const PATIENCE = { timeout: 30_000, interval: 200 };

/** A browser with one page. Code that runs in it must not use variables from outside; its result must be JSON. */
type Driver = {
  open: (address: string) => Promise<unknown>;
  evaluate: (expression: string) => Promise<string>;
  /** PNG in base64. */
  picture: () => Promise<string>;
};

export type EnginePage = Omit<Driver, 'evaluate'> & {
  run: <Args extends unknown[], Result>(
    code: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Awaited<Result>>;
  /** Resolves when `code` returns a truthy value. */
  until: <Args extends unknown[]>(code: (...args: Args) => unknown, ...args: Args) => Promise<void>;
};

const engines = {
  Firefox: { program: '/usr/bin/firefox-esr', start: startFirefox },
  WebKit: { program: '/usr/bin/WebKitWebDriver', start: startWebKit },
};

/** The installed engines. */
export const otherEngines = (['Firefox', 'WebKit'] as const).filter((name) =>
  existsSync(engines[name].program),
);

/** Starts a browser with a new profile; it ends with the running test. */
export async function startEngine(name: keyof typeof engines): Promise<EnginePage> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const [port = 0] = await freePorts(1);
  const { program, start } = engines[name];
  const run = (command: string, ...args: string[]) => {
    const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, LC_ALL: 'C.UTF-8' };
    const child = spawn(command, args, { env, detached: true, stdio: 'ignore' });
    onTestFinished(() => endGroup(child));
  };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const { open, evaluate, picture } = await start(run, program, port, folder);
  const page: EnginePage = {
    open,
    picture,
    run: async (code, ...args) => {
      const call = `(${code.toString()})(...${JSON.stringify(args)})`;
      return JSON.parse(await evaluate(`Promise.resolve(${call}).then((it) => JSON.stringify(it ?? null))`));
    },
    until: async (code, ...args) =>
      await vi.waitFor(async () => {
        if (!(await page.run(code, ...args)))
          throw new Error(`${name} waits for ${code.toString()} with ${JSON.stringify(args)}`);
      }, PATIENCE),
  };
  return page;
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

type Run = (command: string, ...args: string[]) => void;

async function startFirefox(run: Run, program: string, port: number, folder: string): Promise<Driver> {
  run(program, '--headless', '--profile', folder, '--remote-debugging-port', String(port), 'about:blank');
  const socket = await vi.waitFor(() => connected(`ws://127.0.0.1:${port}/session`), PATIENCE);
  const waiting = new Map<number, (answer: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = z
      .object({ id: z.number().nullish() })
      .loose()
      .parse(JSON.parse(String(data)));
    waiting.get(answer.id ?? 0)?.(answer);
  });
  let last = 0;
  async function send<Result>(method: string, params: object, result: z.ZodType<Result>): Promise<Result> {
    last += 1;
    const answered = new Promise((resolve) => waiting.set(last, resolve));
    socket.send(JSON.stringify({ id: last, method, params }));
    return z.object({ result }, { error: (issue) => JSON.stringify(issue.input) }).parse(await answered)
      .result;
  }
  await send('session.new', { capabilities: {} }, z.unknown());
  const tree = z.object({ contexts: z.tuple([z.object({ context: z.string() })]).rest(z.unknown()) });
  const [{ context }] = (await send('browsingContext.getTree', {}, tree)).contexts;
  const text = z.object({ result: z.object({ value: z.string() }) });
  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }, z.unknown()),
    evaluate: async (expression) => {
      const params = { expression, target: { context }, awaitPromise: true };
      return (await send('script.evaluate', params, text)).result.value;
    },
    picture: async () =>
      (await send('browsingContext.captureScreenshot', { context }, z.object({ data: z.string() }))).data,
  };
}

async function connected(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`nobody answers at ${address}`)));
  });
  return socket;
}

async function startWebKit(run: Run, program: string, port: number): Promise<Driver> {
  run('xvfb-run', '--auto-servernum', program, `--port=${port}`);
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${origin}/status`), PATIENCE);
  async function send<Result>(
    path: string,
    body: object | undefined,
    result: z.ZodType<Result>,
  ): Promise<Result> {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(origin + path, init);
    const value = z.object({ value: result }, { error: (issue) => JSON.stringify(issue.input) });
    return value.parse(await answer.json()).value;
  }
  const { sessionId } = await send('/session', { capabilities: {} }, z.object({ sessionId: z.string() }));
  const session = `/session/${sessionId}`;
  return {
    open: (url) => send(`${session}/url`, { url }, z.unknown()),
    evaluate: (expression) => {
      const script = `const done = arguments[0]; (${expression}).then(done, (error) => done({ error: String(error) }))`;
      return send(`${session}/execute/async`, { script, args: [] }, z.string());
    },
    picture: () => send(`${session}/screenshot`, undefined, z.string()),
  };
}
