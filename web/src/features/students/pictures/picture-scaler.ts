import { askWorker } from '../../../lib/ask-worker.ts';

/** Scales photographs in a worker, so that the page stays responsive. */
export class PictureScaler {
  readonly #worker = new Worker(new URL('./scale-picture.worker.ts', import.meta.url), { type: 'module' });

  /**
   * Runs scaledPicture() in a worker.
   * @returns undefined if the browser cannot decode the picture
   * @throws DOMException AbortError if it was cancelled
   */
  scale(file: File, signal: AbortSignal): Promise<File | undefined> {
    return askWorker(this.#worker, file, signal);
  }

  close(): void {
    this.#worker.terminate();
  }
}
