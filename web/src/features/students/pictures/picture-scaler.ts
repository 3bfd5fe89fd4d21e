import { askWorker } from '../../../lib/ask-worker.ts';

/** Scales photographs in a thread of its own, so that the page answers meanwhile. */
export class PictureScaler {
  readonly #worker = new Worker(new URL('./scale-picture.worker.ts', import.meta.url), { type: 'module' });

  /**
   * As scaledPicture(), off the main thread.
   * @returns undefined for what the browser cannot read as a picture
   * @throws DOMException AbortError when it was cancelled
   */
  scale(file: File, signal: AbortSignal): Promise<File | undefined> {
    return askWorker(this.#worker, file, signal);
  }

  close(): void {
    this.#worker.terminate();
  }
}
