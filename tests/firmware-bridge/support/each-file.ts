import { followProcess } from './process-end.ts';

followProcess();
