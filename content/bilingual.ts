/** The same in both languages of the page. */
export type Bilingual = { ko: string; en: string };
