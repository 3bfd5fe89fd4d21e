const needed = Promise.withResolvers<void>();
let load: () => Promise<unknown> = async () => undefined;

/** Resolves when something of what is drawn is about to change: its language, its data or the page. */
export const untilNeeded = () => needed.promise;

/** Who loads the parts says how. Calls cannot import that: the parts themselves make calls. */
export function loadPartsBy(loader: () => Promise<unknown>): void {
  load = loader;
}

/** Before a change shows. What fails is told where it belongs. */
export async function needParts(): Promise<void> {
  needed.resolve();
  await load().catch(() => undefined);
}
