import { buildChanged } from '../../../scripts/build/build.ts';

/** Before the first test: what is tested is the file that is deployed. */
export default () => buildChanged(['bridge', 'ingest worker']);
