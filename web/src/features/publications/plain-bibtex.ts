/** The entries of a file that the build wrote: each begins with `@` at the start of a line. */
export function entriesByKey(text: string): Map<string, string> {
  const entries = text.split(/^(?=@)/m).filter((entry) => entry !== '');
  return new Map(entries.map((entry) => [/^@\w+\{([^,]*),/.exec(entry)?.[1] ?? '', `${entry.trim()}\n`]));
}
