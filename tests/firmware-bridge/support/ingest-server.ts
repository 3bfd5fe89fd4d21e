import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { readingSchema, SERVER_TIME_HEADER, type Reading } from '#contract/readings';

export type SentRequest = { path: string; headers: IncomingMessage['headers']; body: Buffer };
export type Answerer = (response: ServerResponse, request: SentRequest) => void;

export type IngestServer = { url: string; requests: SentRequest[]; answerWith: (answerer: Answerer) => void };

/** A real HTTP server instead of the ingest worker; the test chooses its answers. */
export async function startIngestServer(first: Answerer): Promise<IngestServer> {
  const requests: SentRequest[] = [];
  let answer = first;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      if (sent.path.endsWith('/health')) {
        response.setHeader(SERVER_TIME_HEADER, Date.now());
        return json(200, { ok: true })(response, sent);
      }
      requests.push(sent);
      answer(response, sent);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    answerWith: (next) => {
      answer = next;
    },
  };
}

export const json =
  (status: number, content: unknown, headers: Record<string, string> = {}): Answerer =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(content));
  };

const batchSchema = z.object({ readings: z.array(readingSchema) });

export function readingsIn(request: SentRequest): Reading[] {
  return batchSchema.parse(JSON.parse(request.body.toString())).readings;
}

export const error = (code: string) => ({ error: { code, message: '거절' } });
