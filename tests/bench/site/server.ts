import { readdirSync, readFileSync } from 'node:fs';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { createSelfSignedCertificate } from '../../../local/certificate.ts';

/** A file as it goes over the wire. */
export type ServedFile = { raw: Buffer; body: Buffer; headers: Headers };
type Headers = Record<string, string>;

export type SiteServer = {
  origin: string;
  /** The file that a path is answered with, such as /ko or /assets/a.js. */
  fileAt: (path: string) => ServedFile | undefined;
  files: ReadonlyMap<string, ServedFile>;
  stop: () => Promise<void>;
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** What Pages says about a file that _headers does not speak of. */
const UNCACHED = 'public, max-age=0, must-revalidate';
/** What a function fills in: it comes from the product, compressed in passing. */
const FILLED = new Set(['/', '/ko', '/en']);
/** Rules of the static host, no files of the site. */
const NOT_SERVED = new Set(['_headers', '_redirects']);

/**
 * Serves a folder as Cloudflare Pages would: HTTP/2 and TLS, brotli 11, addresses without .html, 404.html for the
 * rest. The folder is read once, so that a build that runs meanwhile changes nothing.
 * @param headersFile rules in the format of _headers
 * @param apiOrigin where /api/* and the pages with a function are passed on to
 */
export async function serveFolder(
  folder: string,
  headersFile: string,
  apiOrigin?: string,
): Promise<SiteServer> {
  const rules = readHeaderRules(headersFile);
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !NOT_SERVED.has(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => {
        const path = `/${relative(folder, file).replaceAll('\\', '/')}`;
        return [path, servedFile(path, readFileSync(file))] as const;
      }),
  );
  if (!files.has('/index.html')) throw new Error(`${folder} has no index.html`);
  const fileAt = (path: string) =>
    files.get(path.endsWith('/') ? `${path}index.html` : path) ?? files.get(`${path}.html`);

  const { key, certificate } = createSelfSignedCertificate(['127.0.0.1']);
  const server = createSecureServer({ key, cert: certificate, allowHTTP1: true }, (request, response) => {
    const path = new URL(request.url, 'https://any').pathname;
    if (apiOrigin !== undefined && (path.startsWith('/api/') || FILLED.has(path))) {
      void passOn(request, response, apiOrigin).catch(() => response.writeHead(502).end());
      return;
    }
    const found = fileAt(path);
    const file = found ?? files.get('/404.html');
    if (file) response.writeHead(found ? 200 : 404, headersOf(file, path, rules)).end(file.body);
    else response.writeHead(404).end();
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no port');
  return {
    origin: `https://127.0.0.1:${address.port}`,
    fileAt,
    files,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

type HeaderRule = { pattern: string; headers: Headers };

/** Reads the format of Pages: a path, which may end in `*`, then its headers indented. */
function readHeaderRules(file: string): HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^\s+([\w-]+):\s*(.+)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      Object.assign(rules.at(-1)?.headers ?? {}, { [name.toLowerCase()]: value });
    } else if (line.startsWith('/')) rules.push({ pattern: line.trim(), headers: {} });
  }
  return rules;
}

/** @param path as it was asked for */
function headersOf(file: ServedFile, path: string, rules: HeaderRule[]): Headers {
  const matches = ({ pattern }: HeaderRule) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return Object.assign({ ...file.headers }, ...rules.filter(matches).map(({ headers }) => headers));
}

function servedFile(path: string, raw: Buffer): ServedFile {
  const packed = brotli(raw, 11);
  const body = packed.length < raw.length ? packed : raw;
  const headers: Headers = {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    'content-length': String(body.length),
    'cache-control': UNCACHED,
    ...(body === packed && { 'content-encoding': 'br' }),
  };
  return { raw, body, headers };
}

export function brotli(raw: Buffer, quality: number): Buffer {
  return brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
}

/** Passes a read on; its answer is compressed as an edge compresses in passing (brotli 4). */
async function passOn(request: Http2ServerRequest, response: Http2ServerResponse, apiOrigin: string) {
  const { accept, cookie, 'accept-language': language } = request.headers;
  const headers = Object.entries({ accept, cookie, 'accept-language': language });
  const answer = await fetch(apiOrigin + request.url, {
    method: request.method,
    headers: headers.filter((entry): entry is [string, string] => entry[1] !== undefined),
    redirect: 'manual',
  });
  const body = brotli(Buffer.from(await answer.arrayBuffer()), 4);
  const own = new Set([
    'content-length',
    'content-encoding',
    'transfer-encoding',
    'connection',
    'keep-alive',
  ]);
  const passed = [...answer.headers].filter(([name]) => !own.has(name));
  response.writeHead(answer.status, { ...Object.fromEntries(passed), 'content-encoding': 'br' }).end(body);
}
