import { abouts, hardwareDrawing } from 'virtual:lab-content';
import { useLocale } from '../../../lib/locale.ts';

/** The drawing of the first screen, with a legend of the parts that it numbers. It stands on the plant's line. */
export function Hardware() {
  const { hardware } = abouts[useLocale()];
  if (!hardware || hardwareDrawing === undefined) return null;
  const { alt, caption, parts } = hardware;
  return (
    <figure className="relative mx-auto w-full max-w-[30rem] max-lg:order-1 lg:mx-0 lg:pt-10">
      <div
        aria-hidden
        className="[&>svg]:block [&>svg]:h-auto [&>svg]:w-full"
        dangerouslySetInnerHTML={{ __html: hardwareDrawing }}
      />
      <p className="sr-only">{alt}</p>
      <figcaption className="mt-4 text-sm lg:absolute lg:top-0 lg:right-0 lg:mt-0 lg:w-[46%]">
        <p className="font-semibold">{caption}</p>
        <ol className="mt-1 text-xs leading-5 text-ink-soft max-lg:grid max-lg:grid-cols-2 max-lg:gap-x-4">
          {parts.map((part, at) => (
            <li key={part} className="flex gap-1.5">
              <span className="font-semibold text-accent tabular-nums">{at + 1}</span>
              {part}
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}
