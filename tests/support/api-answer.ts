import { API_MARKER_HEADER } from '#contract/log-line';

/** For `route.fulfill`: an answer like the API's, because the real API cannot be made to fail on demand. */
export const apiAnswer = (status: number, json: unknown = {}) => ({
  status,
  json,
  headers: { [API_MARKER_HEADER]: '1' },
});
