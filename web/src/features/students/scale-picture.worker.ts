import { scaledPicture } from './scale-picture.ts';

/** What comes back for a photograph: nothing when the browser cannot read it as a picture. */
export type Scaled = { picture: File | undefined } | { error: string };

addEventListener('message', ({ data, ports }: MessageEvent<File>) => {
  scaledPicture(data)
    .then((picture): Scaled => ({ picture }))
    .catch((error: unknown): Scaled => ({ error: String(error) }))
    .then((scaled) => ports[0]?.postMessage(scaled))
    .catch(reportError);
});
