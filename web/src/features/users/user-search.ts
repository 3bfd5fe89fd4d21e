import { LEVELS, roleNames, type SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';
import { searched, type Searched } from '../../lib/word-search.ts';

export const userEntries = (users: readonly User[]): Searched<User>[] =>
  users.map((user) =>
    searched(user, user.name, [user.email, roleNames[user.secure_level], user.univ_id ?? '']),
  );

/** The role in the address. What is typed is not there: it is a name. */
export const readLevel = ({ level }: Record<string, unknown>): SecureLevel | undefined =>
  LEVELS.find((each) => each === level);
