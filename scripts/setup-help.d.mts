/** The commands that setup.mjs starts, with their scripts. */
export const commands: Record<string, { script: string }>;

/** A command's answer before packages are installed; undefined if the command should continue. */
export function answer(name: string, args: readonly string[]): { text: string; status: number } | undefined;
