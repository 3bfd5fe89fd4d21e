import { buildChanged } from '../../../scripts/build/build.ts';

/** Runs before the first test, because the tests run the built files. */
export default () => buildChanged(['bridge', 'ingest worker']);
