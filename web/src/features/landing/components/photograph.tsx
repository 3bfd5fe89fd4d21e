import { builtPhotographs } from 'virtual:lab-content';

type Props = {
  /** As the content names it. */
  file: string;
  alt: string;
  /** How wide it is shown, for the browser to choose a file. */
  sizes: string;
  className?: string;
  /** On the first screen: not put off until somebody scrolls. */
  isEarly?: boolean;
};

/** A photograph of the lab's content in the sizes and formats that the build has made. */
export function Photograph({ file, alt, sizes, className, isEarly }: Props) {
  const built = builtPhotographs[file];
  if (!built) return null;
  const { name, width, height, widths } = built;
  const address = (each: number, type: string) => `/pictures/${name}-${each}.${type}`;
  const sources = (type: string) => widths.map((each) => `${address(each, type)} ${each}w`).join(', ');
  return (
    <picture className="block shrink-0">
      <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />
      <img
        src={address(widths[0] ?? width, 'webp')}
        srcSet={sources('webp')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={isEarly ? undefined : 'lazy'}
        decoding="async"
        className={className}
      />
    </picture>
  );
}
