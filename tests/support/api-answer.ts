import { API_MARKER_HEADER } from '#contract/log-line';

/** For `route.fulfill`: an answer in the API's name, which cannot be made to refuse or to fail on demand. */
export const apiAnswer = (status: number, json: unknown = {}) => ({
  status,
  json,
  headers: { [API_MARKER_HEADER]: '1' },
});
