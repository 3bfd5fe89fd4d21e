/** The commands that begin on any Node, and the scripts that they hand over to. */
export const commands: Record<string, { script: string }>;

/** What a command answers before anything is installed; undefined where it goes on. */
export function answer(name: string, args: readonly string[]): { text: string; status: number } | undefined;
