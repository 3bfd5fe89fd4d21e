import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { serverNow } from '../../lib/server-time.ts';
import { addressOf, readAddress } from './address.ts';
import type { Choice } from './choice.ts';

/**
 * The choice in the address. A change shows at once and the address follows, because navigating takes time and the next
 * click on a chip would otherwise be lost.
 */
export function useChoice(): [choice: Choice, choose: (choice: Choice) => void] {
  const search = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  const [now] = useState(serverNow);
  const address = JSON.stringify(search);
  const [shown, setShown] = useState({ address, choice: readAddress(search, now) });
  if (shown.address !== address) setShown({ address, choice: readAddress(search, now) });
  const choose = (choice: Choice) => {
    setShown({ ...shown, choice });
    void navigate({ to: '.', search: addressOf(choice, now), replace: true, resetScroll: false });
  };
  return [shown.choice, choose];
}
