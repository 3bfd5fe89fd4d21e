import { backoffMs } from '#contract/backoff';
import { LIVE_PING, LIVE_PING_EVERY_MS, LIVE_PONG, type LiveMessage } from '#contract/plants-socket';
import { MINUTE_MS } from '#contract/time';

/** After this many milliseconds without a message, the connection counts as broken. */
const ANSWER_MS = 10_000;
const AGAIN = { firstMs: 1000, mostMs: MINUTE_MS };
/** A tab that has been hidden for this time closes its socket. */
const HIDDEN_MS = 5 * MINUTE_MS;

/**
 * Whether the server pushes new readings. After the first failed attempt the state is `disconnected`, and the
 * screen must poll until a connection succeeds.
 */
export type LiveState = 'opening' | 'connected' | 'disconnected';

type Listener = {
  tell: (message: LiveMessage) => void;
  show: (state: LiveState) => void;
};

/**
 * Keeps a socket to the server open while the page is visible. The first message of a new socket contains all
 * states, so no change is missed.
 */
export class LiveConnection {
  readonly #address: string;
  readonly #listener: Listener;
  readonly #ended = new AbortController();
  #socket: WebSocket | undefined;
  #isTold = false;
  #failures = 0;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #hidden: ReturnType<typeof setTimeout> | undefined;

  /** @param address `ws://` or `wss://` */
  constructor(address: string, listener: Listener) {
    this.#address = address;
    this.#listener = listener;
    const { signal } = this.#ended;
    addEventListener('online', () => this.open(), { signal });
    addEventListener('offline', () => this.#lose(), { signal });
    document.addEventListener('visibilitychange', () => this.#noteVisibility(), { signal });
    this.open();
  }

  close(): void {
    this.#ended.abort();
    clearTimeout(this.#hidden);
    this.#drop();
  }

  /** Opens a socket now, unless one is open or the page is hidden. */
  open(): void {
    if (this.#socket || document.hidden) return;
    clearTimeout(this.#again);
    if (!navigator.onLine) {
      this.#listener.show('disconnected');
      return;
    }
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#isTold = false;
    this.#expectWord();
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (socket === this.#socket) this.#hear(data);
    });
    socket.addEventListener('close', () => {
      if (socket === this.#socket) this.#lose();
    });
  }

  #hear(text: string): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => {
      this.#socket?.send(LIVE_PING);
      this.#expectWord();
    }, LIVE_PING_EVERY_MS);
    if (text === LIVE_PONG) return;
    const message: LiveMessage = JSON.parse(text);
    this.#isTold = true;
    this.#failures = 0;
    this.#listener.tell(message);
    this.#listener.show('connected');
  }

  #expectWord(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#lose(), ANSWER_MS);
  }

  /** Opens a new socket. Shows `disconnected` if the lost socket had no messages or the device is offline. */
  #lose(): void {
    const wasTold = this.#isTold;
    this.#drop();
    if (!wasTold || !navigator.onLine) {
      this.#failures += 1;
      this.#listener.show('disconnected');
    }
    // Without random delays, all screens would reconnect at the same time when the server returns.
    this.#again = setTimeout(() => this.open(), backoffMs(this.#failures, AGAIN, Math.random()));
  }

  #drop(): void {
    for (const timer of [this.#deadline, this.#ping, this.#again]) clearTimeout(timer);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isTold = false;
    socket?.close();
  }

  #noteVisibility(): void {
    clearTimeout(this.#hidden);
    if (document.hidden) this.#hidden = setTimeout(() => this.#drop(), HIDDEN_MS);
    else this.open();
  }
}
