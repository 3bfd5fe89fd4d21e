import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { SERVER_TIME_HEADER } from '#contract/readings';

/** The port of a server. */
function portOf(server: { address: () => unknown }): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('no port');
  return Number(address.port);
}

/** A proxy before the broker that can drop what the bridge sends. */
export type Wire = {
  url: string;
  swallow: (on: boolean) => void;
  /** Bytes that were sent to the bridge until now. */
  delivered: () => number;
};

export async function startWire(brokerUrl: string): Promise<Wire> {
  let isSwallowing = false;
  let delivered = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const broker = connect(Number(new URL(brokerUrl).port), '127.0.0.1');
    for (const socket of [client, broker]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => {
      if (!isSwallowing) broker.write(bytes);
    });
    broker.on('data', (bytes) => {
      delivered += bytes.byteLength;
      client.write(bytes);
    });
    client.on('close', () => broker.destroy());
    broker.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `${new URL(brokerUrl).protocol}//127.0.0.1:${portOf(server)}`,
    swallow: (on) => {
      isSwallowing = on;
    },
    delivered: () => delivered,
  };
}

export type Passed = { path: string; headers: IncomingHttpHeaders; body: Buffer };
/** Answers a request. `forward` sends the request to the real ingest worker and returns its answer. */
export type Meddler = (
  request: Passed,
  response: ServerResponse,
  forward: () => Promise<{ status: number; text: string }>,
) => Promise<void>;

export const honest: Meddler = async (_request, response, forward) => {
  const { status, text } = await forward();
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
};

export type Door = {
  url: string;
  meddleWith: (meddler: Meddler) => void;
  /** While the proxy is shut, nothing passes, not even heartbeats. */
  shut: (isShut: boolean) => void;
};

/** A proxy before the real ingest worker; heartbeats pass unchanged. */
export async function startDoor(ingestUrl: string, first: Meddler = honest): Promise<Door> {
  let meddler = first;
  let isShut = false;
  const server = createHttpServer((request, response) => {
    if (isShut) {
      response.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const passed = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      const forward = async () => {
        const headers = Object.entries(passed.headers).flatMap(([name, value]) =>
          typeof value === 'string' && name.startsWith('x-bridge') ? [[name, value] as [string, string]] : [],
        );
        const { method = 'POST' } = request;
        const answer = await fetch(ingestUrl + passed.path, {
          method,
          headers,
          ...(method === 'POST' ? { body: passed.body } : {}),
        });
        const time = answer.headers.get(SERVER_TIME_HEADER);
        if (time !== null && !response.headersSent) response.setHeader(SERVER_TIME_HEADER, time);
        return { status: answer.status, text: await answer.text() };
      };
      const act = passed.path === '/readings' ? meddler : honest;
      act(passed, response, forward).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    meddleWith: (next) => {
      meddler = next;
    },
    shut: (now) => {
      isShut = now;
    },
  };
}
