import type { Course, Semester } from '#contract/courses';
import type { PublicPlant } from '#contract/plants';

/** The courses, and the current term in the courses' terms; null if the current term is unknown. */
export type CourseList = { courses: Course[]; running: { year: number; semester: Semester } | null };

/** The API's data that the edge rendered into the main page (src/edge-page.tsx). */
export type EmbeddedData = { courses?: CourseList; plant?: PublicPlant | null };

/** Element id of the page's data block with this data. */
export const EMBEDDED_DATA_ID = 'delivered';
