import { answerQuestions } from '../../../lib/ask-worker.ts';
import { scaledPicture } from './scale-picture.ts';

answerQuestions(({ data }: MessageEvent<File>) => scaledPicture(data));
