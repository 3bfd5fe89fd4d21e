/** What is the same in both languages. Explained in content/README.md. */
export const site = {
  /** Where the public reaches the site, without a slash at the end: search engines are told this address. */
  url: 'https://cps.hanbit.example',
  /** The picture beside the text of About: a file of content/pictures and its size in pixels. */
  picture: { file: 'about.svg', width: 450, height: 420 },
  /** The drawing of the first screen: an SVG of content/pictures, which is written into the page. */
  hardware: 'sensor-node.svg',
  /** What messengers show beside a link: 1200 × 630 pixels, PNG, files of content/pictures. */
  sharePictures: { ko: 'share.png', en: 'share-en.png' },
} as const;
