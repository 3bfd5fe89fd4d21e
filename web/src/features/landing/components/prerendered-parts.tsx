/** Static parts, prerendered by the build or the edge, in a separate chunk: see prerendered.tsx. */
export { QuestionAnswerList } from './answers.tsx';
export { NewsList } from './news-list.tsx';
export { PaperList } from './paper-list.tsx';
export { About } from './about.tsx';
export { CourseList } from './course-list.tsx';
export { Highlights } from './glance.tsx';
export { HardwareDrawing } from './glance.tsx';
export { OpenPositionsLink } from './join-us.tsx';
export { JoinUs } from './join-us.tsx';
export { Directions } from './answers.tsx';
export { People } from './people.tsx';
export { WeekLine } from './week-line.tsx';
export { MoistureLine } from './week-line.tsx';
export { setShownContent } from '../content.ts';
