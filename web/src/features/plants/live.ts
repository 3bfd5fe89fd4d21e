import { backoffMs } from '#contract/backoff';
import { LIVE_PING, LIVE_PING_EVERY_MS, LIVE_PONG, type LiveMessage } from '#contract/plants-socket';
import { MINUTE_MS } from '#contract/time';

/** Without any word for so long the connection is broken. */
const ANSWER_MS = 10_000;
const AGAIN = { firstMs: 1000, mostMs: MINUTE_MS };
/** A tab that nobody has looked at for so long lets its socket go. */
const HIDDEN_MS = 5 * MINUTE_MS;

/**
 * Whether the screen is told of what arrives. It is `lost` from the first attempt that failed on, and has to ask until it
 * is told again.
 */
export type LiveState = 'opening' | 'connected' | 'disconnected';

type Listener = {
  tell: (message: LiveMessage) => void;
  show: (state: LiveState) => void;
};

/**
 * Keeps one socket to the server open for as long as the page can be seen. A new one begins with the whole list, so that
 * nothing is missed between two.
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

  /** Opens a socket now, unless there is one or nobody would see what it tells. */
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

  /** A socket that told something comes again at once; only what fails then is a loss to speak of. */
  #lose(): void {
    const wasTold = this.#isTold;
    this.#drop();
    if (!wasTold || !navigator.onLine) {
      this.#failures += 1;
      this.#listener.show('disconnected');
    }
    // Apart from one another: a server that comes back would have every screen at once.
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
