import { useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { contentFailureText } from './queries.ts';

/** Whether a request is under way, and why the last one failed. */
export function useAttempt(textOf: (error: ApiError) => string = contentFailureText) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, setFailure, attempt };
}
