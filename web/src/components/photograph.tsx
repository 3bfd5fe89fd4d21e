import { parsePhotographName } from '#contract/public-content';
import { builtPhotographs } from 'virtual:lab-content';

type Props = {
  /** The file's name in the content. */
  file: string;
  alt: string;
  /** The displayed width, by which the browser chooses a file. */
  sizes: string;
  className?: string;
  /** Set for images on the first screen: loaded immediately instead of on scrolling. */
  isEarly?: boolean;
};

/** A photograph. The build or, for an uploaded photograph, the upload has made several sizes and formats. */
export function Photograph({ file, alt, sizes, className, isEarly }: Props) {
  const uploaded = parsePhotographName(file);
  const built = builtPhotographs[file];
  const picture = uploaded ?? built;
  if (!picture) return null;
  const { width, height, widths } = picture;
  const address = (each: number, type: string, name = built?.name) =>
    uploaded
      ? `/api/content/pictures/${uploaded.id}-${each}.${uploaded.type}`
      : `/pictures/${name}-${each}.${type}`;
  const sources = (type: string, name?: string) =>
    widths.map((each) => `${address(each, type, name)} ${each}w`).join(', ');
  return (
    <picture className="block shrink-0">
      {built?.dark !== undefined && (
        <source
          media="screen and (prefers-color-scheme: dark)"
          type="image/avif"
          srcSet={sources('avif', built.dark)}
          sizes={sizes}
        />
      )}
      {built && <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />}
      <img
        src={address(widths[0] ?? width, 'webp')}
        srcSet={sources('webp')}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={isEarly ? undefined : 'lazy'}
        decoding="async"
        className={uploaded ? `object-cover ${className}` : className}
      />
    </picture>
  );
}
