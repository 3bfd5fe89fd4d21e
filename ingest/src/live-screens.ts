import { DurableObject } from 'cloudflare:workers';
import {
  LIVE_CLOSE_CODE,
  LIVE_PING,
  LIVE_PING_EVERY_MS,
  LIVE_PONG,
  LIVE_SOCKETS_PER_USER,
  type LiveMessage,
} from '#contract/plants-socket';
import type { PlantState } from '#contract/plants';
import { database } from '#db/client';
import { listPlantStates } from '#db/plant-states';
import { LIVE_SOCKET_OWNER_HEADER, type LiveSocketOwner, type LiveScreens } from '#http/live-screens';
import * as z from 'zod';
import type { Env } from './config.ts';

const holderSchema = z.object({ session: z.int(), user: z.int(), until: z.int() });

/** A socket's attachment, which survives hibernation. */
const borneSchema = holderSchema.extend({
  openedAt: z.int(),
  /** Whether the whole list has been sent to the socket. */
  isTold: z.boolean(),
});
type Borne = z.output<typeof borneSchema>;

const borneBy = (socket: WebSocket): Borne => borneSchema.parse(socket.deserializeAttachment());

const tagOf = (whose: { session: number } | { user: number }) =>
  'session' in whose ? `session ${whose.session}` : `user ${whose.user}`;

/** After this time without a ping, the browser counts as disconnected. */
const SILENT_MS = 3 * LIVE_PING_EVERY_MS;
const BROKEN_RULE = 1008;
const TRY_LATER = 1013;

/**
 * The Durable Object for open plant screens. It hibernates between readings, which deletes its memory: so the
 * sockets' data are in their attachments, and the plants' states are read from the database each time.
 */
export class Live extends DurableObject<Env> implements LiveScreens {
  /** Topics whose changes have not been sent to the screens yet. */
  #due = new Set<string>();
  #isAllDue = false;
  #telling: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG));
  }

  /** Opens a socket; the API worker has checked the user's rights. 429 if the user has too many sockets. */
  override async fetch(request: Request): Promise<Response> {
    const sent: unknown = JSON.parse(request.headers.get(LIVE_SOCKET_OWNER_HEADER) ?? 'null');
    const holder: LiveSocketOwner = holderSchema.parse(sent);
    const tags = [tagOf({ session: holder.session }), tagOf({ user: holder.user })];
    if (this.#livingOf(holder.user) >= LIVE_SOCKETS_PER_USER) return new Response(null, { status: 429 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, tags);
    server.serializeAttachment({ ...holder, openedAt: Date.now(), isTold: false } satisfies Borne);
    await this.#wakeAt(holder.until);
    this.ctx.waitUntil(this.#tell().catch(() => server.close(TRY_LATER)));
    return new Response(null, { status: 101, webSocket: client });
  }

  async changed(topics?: string[]): Promise<void> {
    if (this.#open().length === 0) return;
    if (topics === undefined) this.#isAllDue = true;
    for (const topic of topics ?? []) this.#due.add(topic);
    await this.#tell();
  }

  end(whose: { session: number } | { user: number }): Promise<void> {
    for (const socket of this.#open(tagOf(whose))) socket.close(LIVE_CLOSE_CODE);
    return Promise.resolve();
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    const later = this.#open().flatMap((socket) => {
      const { until } = borneBy(socket);
      if (until > now) return [until];
      socket.close(LIVE_CLOSE_CODE);
      return [];
    });
    if (later.length > 0) await this.#wakeAt(Math.min(...later));
  }

  /** The runtime answers pings itself, so every message that comes here is an error of the client. */
  override webSocketMessage(socket: WebSocket): void {
    socket.close(BROKEN_RULE);
  }

  /** Without this answer, a browser that closes the socket would wait ten seconds. */
  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  #open(tag?: string): WebSocket[] {
    return this.ctx.getWebSockets(tag).filter(({ readyState }) => readyState === WebSocket.READY_STATE_OPEN);
  }

  /** The number of the user's open sockets. Closes sockets whose browser has not sent a ping for too long. */
  #livingOf(user: number): number {
    const heardAt = (socket: WebSocket) =>
      this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? borneBy(socket).openedAt;
    const sockets = this.#open(tagOf({ user }));
    const silent = sockets.filter((socket) => Date.now() - heardAt(socket) > SILENT_MS);
    for (const socket of silent) socket.close(LIVE_CLOSE_CODE);
    return sockets.length - silent.length;
  }

  async #wakeAt(instant: number): Promise<void> {
    const next = await this.ctx.storage.getAlarm();
    if (next === null || next > instant) await this.ctx.storage.setAlarm(instant);
  }

  /** Never reads the database twice at once: an older state could be sent after a newer state. */
  #tell(): Promise<void> {
    this.#telling ??= this.#tellDue();
    return this.#telling;
  }

  async #tellDue(): Promise<void> {
    const isNew = (socket: WebSocket) => !borneBy(socket).isTold;
    try {
      for (;;) {
        const newcomers = this.#open().filter(isNew);
        if (!this.#isAllDue && this.#due.size === 0 && newcomers.length === 0) return;
        const isAll = this.#isAllDue;
        const due = this.#due;
        this.#isAllDue = false;
        this.#due = new Set();
        // oxlint-disable-next-line no-await-in-loop -- readings that arrive during this read are sent in the next round
        const states = await this.#read(isAll || newcomers.length > 0 ? undefined : due, due, isAll);
        const changed = states.filter(({ topic }) => due.has(topic));
        for (const socket of this.#open()) {
          const borne = borneBy(socket);
          const isWhole = isAll || newcomers.includes(socket);
          if (isWhole) send(socket, { whole: true, states });
          else if (borne.isTold && changed.length > 0) send(socket, { whole: false, states: changed });
          if (isWhole) socket.serializeAttachment({ ...borne, isTold: true } satisfies Borne);
        }
      }
    } finally {
      this.#telling = undefined;
    }
  }

  /** If the database cannot be read, the next call sends the same topics. */
  async #read(topics: Set<string> | undefined, due: Set<string>, isAll: boolean): Promise<PlantState[]> {
    try {
      return await listPlantStates(database(this.env.PLANTS_DB), topics && [...topics]);
    } catch (error) {
      this.#isAllDue ||= isAll;
      for (const topic of due) this.#due.add(topic);
      throw error;
    }
  }
}

const send = (socket: WebSocket, message: LiveMessage) => socket.send(JSON.stringify(message));
