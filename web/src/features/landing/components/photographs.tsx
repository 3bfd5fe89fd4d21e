import { Photograph } from '../../../components/photograph.tsx';
import type { usePublicContent } from '../content.ts';

/** Photographs with captions, in two columns where there is room. */
export function Photographs({ photographs }: Pick<ReturnType<typeof usePublicContent>, 'photographs'>) {
  if (photographs.length === 0) return null;
  return (
    <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2">
      {photographs.map(({ file, alt, caption }) => (
        <li key={file}>
          <figure>
            <Photograph
              file={file}
              alt={alt}
              sizes="(min-width: 64rem) 33rem, (min-width: 40rem) 45vw, 90vw"
              className="h-auto w-full rounded-lg"
            />
            <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
