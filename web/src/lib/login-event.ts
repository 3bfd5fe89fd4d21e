type Listener = () => Promise<unknown>;

const listeners = new Set<Listener>();

/** Registers a listener for possible sign-ins and sign-outs. */
export function onLoginEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Announces a possible sign-in or sign-out; resolves when all listeners are done. */
export async function emitLoginEvent(): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener()));
}
