/** Settings that are the same in both languages, explained in content/README.md. */
export const site = {
  /** The site's public address, without a slash at the end, as search engines get it. */
  url: 'https://cps.hanbit.example',
  /** The picture beside the text of About: a file of content/pictures and its size in pixels. */
  picture: { file: 'about.svg', width: 450, height: 420 },
  /** The drawing of the first screen: an SVG of content/pictures, which is written into the page. */
  hardware: 'sensor-node.svg',
  /** The preview of a shared link in messengers (og:image): PNG of 1200 × 630 pixels in content/pictures. */
  sharePictures: { ko: 'share.png', en: 'share-en.png' },
} as const;
