import { useState } from 'react';
import { serverNow } from '../../lib/server-time.ts';
import { readChoice, searchOf, type Choice, type ChoiceSearch } from './choice.ts';

/**
 * The choice that the address holds. A change shows at once and the address follows: a navigation takes its time, and
 * a chip that waited for it would lose the click that comes next.
 */
export function useChoice(
  search: ChoiceSearch,
  goTo: (search: ChoiceSearch) => void,
): [choice: Choice, choose: (choice: Choice) => void] {
  const [now] = useState(serverNow);
  const address = JSON.stringify(search);
  const [shown, setShown] = useState({ address, choice: readChoice(search, now) });
  if (shown.address !== address) setShown({ address, choice: readChoice(search, now) });
  const choose = (choice: Choice) => {
    setShown({ ...shown, choice });
    goTo(searchOf(choice, now));
  };
  return [shown.choice, choose];
}
