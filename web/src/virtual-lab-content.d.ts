declare module 'virtual:lab-content' {
  import type { AboutContent } from '#content/about.ko';
  import type { JoinUs } from '#content/join';
  import type { News } from '#content/news';
  import type { Photograph } from '#content/photographs';
  import type { Project } from '#content/projects';
  import type { Locale } from '#contract/locale';

  export const abouts: Record<Locale, AboutContent>;
  /** Newest first. */
  export const news: News[];
  export const projects: Project[];
  /** Absent also when its last day had passed at build time. */
  export const joinUs: JoinUs | undefined;
  export const photographs: Photograph[];
  /** By the file's name in content/photographs; its files are `/pictures/<name>-<width>.avif` and `.webp`. */
  export const builtPhotographs: Record<
    string,
    { name: string; width: number; height: number; widths: number[] }
  >;
  /** An SVG element, from the lab's own content. */
  export const hardwareDrawing: string | undefined;
}
