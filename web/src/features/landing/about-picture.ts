import { site } from '#content/lab.site';

const files = import.meta.glob<string>('../../../../content/pictures/*.{svg,avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** URL of the picture that the content names. */
export const aboutPicture = files[`../../../../content/pictures/${site.picture.file}`];
