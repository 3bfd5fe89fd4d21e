import type { Profile } from '#contract/users';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { readJson, api } from '../../lib/api.ts';
import { emitLoginEvent } from '../../lib/session.ts';
import { loginStateOf, setLoginState } from '../../lib/login-state.ts';
import { serverNow } from '../../lib/server-time.ts';
import { signIn, signOut } from './sign-in.ts';

export const signInMutation = mutationOptions({
  mutationFn: async (credential: string, { client }) => {
    const outcome = await signIn(credential);
    // Data of the previous user must not be shown to this user.
    client.clear();
    return outcome;
  },
});

/** Signs in without leaving the screen, so this mutation does not clear the query client. */
export const reauthenticateMutation = mutationOptions({ mutationFn: signIn });

export const signOutMutation = mutationOptions({
  mutationFn: signOut,
});

/** @returns the server's time of the check, in milliseconds since 1970 */
export const checkLoginMutation = mutationOptions({
  mutationFn: async () => {
    await emitLoginEvent();
    return serverNow();
  },
});

export const saveProfileMutation = (userId: number) =>
  mutationOptions({
    mutationFn: async (profile: Profile) => {
      const response = await api.login[':id'].$put({ param: { id: String(userId) }, json: profile });
      const user = await response.json();
      setLoginState(loginStateOf(user));
    },
    meta: { done: '변경 완료' },
  });

export const ownSessionsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['own-sessions', userId],
    queryFn: ({ signal }) => readJson(api.login.sessions.$get({}, { init: { signal } })),
    staleTime: 0,
    retryOnMount: true,
  });

export const endSessionMutation = (userId: number) =>
  mutationOptions({
    mutationFn: (id: number) => api.login.sessions[':id'].$delete({ param: { id: String(id) } }),
    meta: { done: '로그아웃 완료', reload: ownSessionsQuery(userId).queryKey },
  });
