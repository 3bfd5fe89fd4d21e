/** The build or the edge prerenders these parts. Their code is a separate chunk (see prerendered.tsx). */
export { QuestionAnswerList, NewsList, PaperList, Directions } from './lists.tsx';
export { About } from './about.tsx';
export { CourseList } from './course-list.tsx';
export { Highlights, HardwareDrawing } from './highlights.tsx';
export { OpenPositionsLink, JoinUs } from './join-us.tsx';
export { People } from './people.tsx';
export { WeekLine, MoistureLine } from './week-line.tsx';
export { setShownContent } from '../content.ts';
