import { buildChangedParts } from '../../../scripts/build/build.ts';

/** Runs before the first test, because the tests run the built files. */
export default () => buildChangedParts(['bridge', 'ingest worker']);
