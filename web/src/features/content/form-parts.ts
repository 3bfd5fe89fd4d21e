import { contentModel, type Fields } from '#contract/content-model';
import type { Path } from './value.ts';

export type Part = {
  name: string;
  title: string;
  /** Id of the page's section that shows this part. */
  section: string;
  path: Path;
  fields: Fields;
};

const partOf = (name: 'lab' | 'about' | 'people' | 'privacy', section: string): Part => {
  const { label, fields } = contentModel[name];
  return { name, title: label, section, path: [name], fields };
};
const listsOf = (name: string, section: string, title: string, fields: Fields): Part => ({
  name,
  title,
  section,
  path: [],
  fields,
});
const { news, projects, join, photographs, group, ways, lists } = contentModel;

/** Parts of the form, in the order of the page. */
export const PARTS: readonly Part[] = [
  partOf('lab', 'title'),
  partOf('about', 'about'),
  partOf('people', 'people'),
  listsOf('news', 'title', '소식', { news }),
  listsOf('projects', 'about', '과제', { projects }),
  listsOf('join', 'join', '모집', { join }),
  listsOf('photographs', 'about', '사진', { photographs, group }),
  listsOf('ways', 'contact', '오시는 길', { ways }),
  listsOf('lists', 'about', '세미나·논문 주제', { lists }),
  // BibTeX has a field of its own.
  listsOf('publications', 'publications', '논문', {}),
  partOf('privacy', 'privacy'),
];
