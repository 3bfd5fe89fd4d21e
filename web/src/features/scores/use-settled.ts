import { startTransition, useEffect, useState } from 'react';

/** How long the hand rests before what is costly follows, in ms. */
const REST = 250;

/** The value itself, or, while it is on its way, the one at which it last rested. */
export function useSettled<Value>(value: Value, isUnderway: boolean): Value {
  const [settled, setSettled] = useState(value);
  if (!isUnderway && settled !== value) setSettled(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(value)), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return isUnderway ? settled : value;
}
