import { onTestFinished } from 'vitest';
import { launchIngest, type Ingest } from '../../support/ingest-worker.ts';
import { freshFolder } from './processes.ts';

export { BRIDGE, type Ingest, type StoredReading } from '../../support/ingest-worker.ts';

/** The ingest worker of one test. */
export async function startIngest(): Promise<Ingest> {
  const folder = freshFolder();
  const ingest = await launchIngest(folder);
  onTestFinished(() => ingest.stop());
  return ingest;
}
