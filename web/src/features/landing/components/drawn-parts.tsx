/** Static parts, prerendered by the build or the edge, in a separate chunk: see drawn.tsx. */
export { Answers } from './answers.tsx';
export { NewsList } from './news-list.tsx';
export { PaperList } from './paper-list.tsx';
export { About } from './about.tsx';
export { CourseList } from './course-list.tsx';
export { Glance } from './glance.tsx';
export { Hardware } from './glance.tsx';
export { JoinMark } from './join-us.tsx';
export { JoinUs } from './join-us.tsx';
export { Ways } from './answers.tsx';
export { People } from './people.tsx';
export { WeekLine } from './week-line.tsx';
export { MoistureLine } from './moisture-line.tsx';
export { showContent } from '../content.ts';
