import { startTransition, useEffect, useState } from 'react';

/** Pause in milliseconds before expensive updates follow. */
const REST = 250;

/** The value, or, while it keeps changing, the one at which it last settled. */
export function useSettled<Value>(value: Value, isUnderway: boolean): Value {
  const [settled, setSettled] = useState(value);
  if (!isUnderway && settled !== value) setSettled(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(value)), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return isUnderway ? settled : value;
}
