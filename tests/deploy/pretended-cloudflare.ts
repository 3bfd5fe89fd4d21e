import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

/*
 * As much of Cloudflare's own API as one deployment asks of it, on this machine: the real wrangler talks to it when
 * CLOUDFLARE_API_BASE_URL names it. Shapes are those that wrangler 4.155 reads.
 */

type Binding = { type: string; name: string };
type Worker = { secrets: string[]; version: string; bindings: Binding[] };
type Answer = { result: unknown; info?: object } | { status: number; code: number; message: string };

const now = () => new Date().toISOString();
const absent = (code: number, message: string): Answer => ({ status: 404, code, message });

/** Holds what was deployed into it. */
export class PretendedCloudflare {
  readonly #databases: { uuid: string; name: string }[] = [];
  readonly #buckets: string[] = [];
  readonly #projects = new Map<string, { name: string; domains: string[] }>();
  readonly workers = new Map<string, Worker>();
  readonly #sql = new Map<string, DatabaseSync>();
  /** Requests that this server does not know; a deployment must send none. */
  readonly unknown: string[] = [];
  /** How often it was asked something, and how long its databases were at work. */
  readonly work = { requests: 0, sqlMs: 0 };
  #uploaded = '';
  #port = 0;

  /** What a database of that name holds. */
  sql(name: string): DatabaseSync {
    const there = this.#sql.get(name) ?? new DatabaseSync(':memory:');
    this.#sql.set(name, there);
    return there;
  }

  /** Opens a database that is stored in this file. */
  open(name: string, file: string): DatabaseSync {
    this.#sql.set(name, new DatabaseSync(file));
    return this.sql(name);
  }

  /** Starts it. @returns the address for CLOUDFLARE_API_BASE_URL, and how to end it */
  async listen(): Promise<{ url: string; close: () => void }> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    const at = server.address();
    this.#port = typeof at === 'object' ? (at?.port ?? 0) : 0;
    return { url: `http://127.0.0.1:${this.#port}/client/v4`, close: () => void server.close() };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.work.requests += 1;
    const url = new URL(request.url ?? '/', 'http://cloudflare');
    if (url.pathname === '/upload') {
      this.#uploaded = body.toString();
      response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
      return;
    }
    const path = url.pathname.replace(/^\/client\/v4/, '').replace('/accounts/account-1', '');
    const answer = this.#answer(`${request.method} ${path}`, body.toString('latin1'));
    if (answer === undefined) this.unknown.push(`${request.method} ${path}`);
    const known = answer ?? absent(9999, `unknown: ${path}`);
    const isError = 'status' in known;
    response.writeHead(isError ? known.status : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isError
          ? {
              success: false,
              errors: [{ code: known.code, message: known.message }],
              messages: [],
              result: null,
            }
          : { success: true, errors: [], messages: [], result: known.result, result_info: known.info },
      ),
    );
  }

  #answer(call: string, body: string): Answer | undefined {
    const one = { page: 1, per_page: 10, total_pages: 1, count: 1, total_count: 1 };
    const account = { id: 'account-1', name: 'The lab' };
    if (call === 'GET /user') return { result: { id: 'user-1', email: 'boss@lab.example' } };
    if (call === 'GET /user/tokens/verify') return { result: { id: 'token-1', status: 'active' } };
    if (call === 'GET /accounts') return { result: [account], info: one };
    if (call === 'GET /memberships') return { result: [{ id: 'membership-1', account }], info: one };
    if (call === 'GET /workers/subdomain') return { result: { subdomain: 'lab' } };
    const [, folder = ''] = /^\w+ \/(\w+)/.exec(call) ?? [];
    if (folder === 'd1') return this.#d1(call, body);
    if (folder === 'r2') return this.#r2(call, body);
    if (folder === 'pages') return this.#pages(call, body);
    return this.#workers(call, body);
  }

  #d1(call: string, body: string): Answer | undefined {
    const rest = call.replace('/d1/database', '');
    if (rest === 'GET ') {
      const count = this.#databases.length;
      return { result: this.#databases, info: { page: 1, per_page: 10, count, total_count: count } };
    }
    if (rest === 'POST ') {
      const { name } = z.object({ name: z.string() }).parse(JSON.parse(body));
      const made = { uuid: randomUUID(), name, created_at: now(), version: 'production' };
      this.#databases.push(made);
      return { result: made };
    }
    const [, id, action] = /^\w+ \/([^/]+)\/?(.*)$/.exec(rest) ?? [];
    const database = this.#databases.find(({ uuid, name }) => uuid === id || name === id);
    if (!database) return absent(7404, 'The database could not be found');
    if (action === '') return { result: database };
    if (action === 'import') return this.#import(database.name, body);
    if (action !== 'query' && action !== 'raw') return undefined;
    const { sql } = z.object({ sql: z.string() }).parse(JSON.parse(body));
    try {
      // A result for each query.
      const statements = /^\s*SELECT/i.test(sql) ? sql.split(';\n') : [sql];
      const found = statements.map((each) => this.#run(database.name, each));
      const meta = { duration: 1, changes: 0 };
      return { result: found.map((results) => ({ success: true, results, meta })) };
    } catch (error) {
      return { status: 400, code: 7500, message: String(error) };
    }
  }

  #run(name: string, sql: string): unknown[] {
    const began = performance.now();
    try {
      if (/^\s*(SELECT|PRAGMA)/i.test(sql)) return this.sql(name).prepare(sql).all();
      this.sql(name).exec(`BEGIN; ${sql}; COMMIT`);
      return [];
    } finally {
      this.work.sqlMs += performance.now() - began;
    }
  }

  #import(name: string, body: string): Answer {
    const { action } = z.object({ action: z.string() }).parse(JSON.parse(body));
    if (action === 'init') {
      const upload_url = `http://127.0.0.1:${this.#port}/upload`;
      return { result: { success: true, type: 'import', upload_url, filename: 'change.sql', messages: [] } };
    }
    this.#run(name, this.#uploaded);
    const meta = { duration: 1, rows_read: 1, rows_written: 1, changed_db: true, size_after: 1 };
    const done = { num_queries: 1, final_bookmark: 'bookmark', meta };
    return { result: { success: true, type: 'import', status: 'complete', result: done, messages: [] } };
  }

  #r2(call: string, body: string): Answer | undefined {
    const rest = call.replace('/r2/buckets', '');
    if (rest === 'GET ') {
      return { result: { buckets: this.#buckets.map((name) => ({ name, creation_date: now() })) } };
    }
    if (rest === 'POST ') {
      this.#buckets.push(z.object({ name: z.string() }).parse(JSON.parse(body)).name);
      return { result: {} };
    }
    const [, name = ''] = /^GET \/([^/]+)$/.exec(rest) ?? [];
    return this.#buckets.includes(name) ? { result: { name } } : absent(10006, 'The bucket does not exist.');
  }

  #workers(call: string, body: string): Answer | undefined {
    const [, name, rest = ''] = /^\w+ \/workers\/(?:scripts|services|workers)\/([^/]+)(.*)$/.exec(call) ?? [];
    if (name === undefined) return undefined;
    const isUpload = /^PUT .*\/scripts\/[^/]+$|^POST .*\/versions$/.test(call);
    if (isUpload) return this.#upload(name, body);
    const worker = this.workers.get(name);
    if (!worker) return absent(10007, 'This Worker does not exist on your account.');
    const subdomain = { enabled: true, previews_enabled: false };
    const settings = { bindings: worker.bindings, tags: [], logpush: false, tail_consumers: [] };
    if (call.startsWith('GET /workers/workers/'))
      return { result: { id: name, name, ...settings, subdomain } };
    const { version } = worker;
    const versions = [{ version_id: version, percentage: 100 }];
    const deployment = {
      id: 'deployment-1',
      source: 'wrangler',
      author_email: '',
      created_on: now(),
      versions,
    };
    const answers: Record<string, () => Answer> = {
      'PATCH /secrets-bulk': () => {
        const { secrets } = z.object({ secrets: z.record(z.string(), z.unknown()) }).parse(JSON.parse(body));
        worker.secrets = [...new Set([...worker.secrets, ...Object.keys(secrets)])];
        return { result: [] };
      },
      'GET /secrets': () => ({
        result: worker.secrets.map((secret) => ({ name: secret, type: 'secret_text' })),
      }),
      'GET /deployments': () => ({ result: { deployments: [deployment] } }),
      'POST /deployments': () => ({ result: deployment }),
      [`GET /versions/${version}`]: () => ({ result: this.#version(worker) }),
      'GET /subdomain': () => ({ result: subdomain }),
      'POST /subdomain': () => ({ result: subdomain }),
      'PUT /schedules': () => ({ result: { schedules: [] } }),
      'GET /settings': () => ({ result: settings }),
      'GET /script-settings': () => ({ result: settings }),
      'PATCH /script-settings': () => ({ result: settings }),
      'GET ': () => {
        const script = { tag: 'tag', tags: null, last_deployed_from: 'wrangler' };
        return { result: { id: name, script, default_environment: { environment: 'production', script } } };
      },
    };
    return answers[`${call.split(' ')[0]} ${rest}`]?.();
  }

  #upload(name: string, body: string): Answer {
    const [, text = '{}'] = /name="metadata"\r\n(?:.+\r\n)*\r\n([^]*?)\r\n--/.exec(body) ?? [];
    const bindings = z
      .object({ bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })).default([]) })
      .parse(JSON.parse(text)).bindings;
    const secrets = this.workers.get(name)?.secrets ?? [];
    const missing = bindings.find((binding) => binding.type === 'inherit' && !secrets.includes(binding.name));
    if (missing) return { status: 400, code: 10057, message: `inherit binding '${missing.name}' is invalid` };
    const worker = { secrets, version: randomUUID(), bindings };
    this.workers.set(name, worker);
    return { result: { startup_time_ms: 1, deployment_id: 'deployment-1', ...this.#version(worker) } };
  }

  #version({ version, bindings }: Worker) {
    const script = { etag: 'etag', handlers: ['fetch'] };
    const resources = { bindings, script, script_runtime: { compatibility_date: '2026-10-23' } };
    const metadata = { created_on: now(), source: 'wrangler', author_email: '' };
    return { id: version, number: 1, metadata, annotations: {}, resources };
  }

  #pages(call: string, body: string): Answer | undefined {
    if (call === 'POST /pages/assets/check-missing') return { result: [] };
    if (call.includes('/pages/assets/')) return { result: true };
    const rest = call.replace('/pages/projects', '');
    if (rest === 'GET ') return { result: [...this.#projects.values()] };
    if (rest === 'POST ') {
      const { name } = z.object({ name: z.string() }).parse(JSON.parse(body));
      const subdomain = `${name}-7ab.pages.dev`;
      const project = { name, subdomain, domains: [subdomain], created_on: now(), deployment_configs: {} };
      this.#projects.set(name, project);
      return { result: project };
    }
    const [, name = '', action] = /^\w+ \/([^/]+)\/?(.*)$/.exec(rest) ?? [];
    const project = this.#projects.get(name);
    if (!project) return absent(8000007, 'Project not found');
    if (action === '') return { result: project };
    if (action === 'upload-token') {
      const claims = { exp: Date.now() / 1000 + 3600, max_file_count_allowed: 20_000 };
      return { result: { jwt: `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30` } };
    }
    if (!action?.startsWith('deployments')) return undefined;
    const deployment_trigger = { metadata: { commit_hash: '0' } };
    const latest_stage = { name: 'deploy', status: 'success' };
    const url = `https://1a2b3c4d.${project.domains[0]}`;
    const facts = { environment: 'production', production_branch: 'main', aliases: null, stages: [] };
    return { result: { id: 'site-1', url, project_name: name, ...facts, deployment_trigger, latest_stage } };
  }
}
