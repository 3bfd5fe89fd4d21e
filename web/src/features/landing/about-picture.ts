import { site } from '#content/lab.site';

const files = import.meta.glob<string>('../../../../worker/content/pictures/*.{svg,avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** Address of the picture that the content names. */
export const aboutPicture = files[`../../../../worker/content/pictures/${site.picture.file}`];
