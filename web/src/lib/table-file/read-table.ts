import { askWorker } from '../ask-worker.ts';
import type { MarkedTable, Refused, RowOptions, TableSource } from './table-source.ts';

export const FILE_MAX_MB = 50;
const TIME_MAX_MS = 60_000;

export type TableQuestion = { source: TableSource; options: RowOptions };

/** Reads a table in a worker, so that the page stays responsive whatever is given. */
export async function readTable(
  source: TableSource,
  options: RowOptions = {},
): Promise<MarkedTable | Refused> {
  if ('file' in source && source.file.size > FILE_MAX_MB * 1024 * 1024)
    return { refusal: `${FILE_MAX_MB} MB보다 큰 파일은 읽을 수 없습니다. 필요한 시트만 따로 저장하세요.` };
  const worker = new Worker(new URL('./table-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    const question: TableQuestion = { source, options };
    return await askWorker<MarkedTable | Refused>(worker, question, AbortSignal.timeout(TIME_MAX_MS));
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      refusal: isLate
        ? '표를 읽는 데 너무 오래 걸려 멈췄습니다. 필요한 시트만 따로 저장하세요.'
        : '표를 읽지 못했습니다. 표를 복사해 붙여넣으세요.',
    };
  } finally {
    worker.terminate();
  }
}
