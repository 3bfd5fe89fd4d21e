import type { Course, Semester } from '#contract/courses';
import type { PublicPlant } from '#contract/plants';

/** The courses, and the running term as a course has it; null where nobody could say which it is. */
export type CourseList = { courses: Course[]; running: { year: number; semester: Semester } | null };

/** What the edge knew of the API when it answered with the main page, and has drawn into it (src/edge.tsx). */
export type EmbeddedData = { courses?: CourseList; plant?: PublicPlant | null };

/** Id of the block of the page that holds it. */
export const EMBEDDED_DATA_ID = 'delivered';
