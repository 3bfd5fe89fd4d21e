import type { Scaled } from './scale-picture.worker.ts';

/** Scales photographs in a thread of its own, so that the page answers meanwhile. */
export class PictureScaler {
  readonly #worker = new Worker(new URL('./scale-picture.worker.ts', import.meta.url), { type: 'module' });

  /**
   * As scaledPicture(), off the main thread.
   * @returns undefined for what the browser cannot read as a picture
   * @throws DOMException AbortError when it was cancelled; Error when the thread could not do it
   */
  scale(file: File, signal: AbortSignal): Promise<File | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener(
        'message',
        ({ data }: MessageEvent<Scaled>) => {
          if ('error' in data) reject(new Error(data.error));
          else resolve(data.picture);
        },
        { once: true },
      );
      port1.start();
      this.#worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#worker.postMessage(file, [port2]);
    });
  }

  close(): void {
    this.#worker.terminate();
  }
}
