type Listener = () => Promise<unknown>;

const listeners = new Set<Listener>();

/** Has something done whenever somebody may have signed in or out. */
export function onLoginEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Says that somebody may have signed in or out; resolves when all who listen are done. */
export async function emitLoginEvent(): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener()));
}
