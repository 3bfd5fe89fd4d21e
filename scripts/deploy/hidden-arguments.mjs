/*
 * Loaded before wrangler: adds arguments from the environment, which, unlike the command line, other users of
 * the machine cannot read. wrangler's first process starts a second one with its own arguments: only the
 * second adds them.
 */
const { argv, env } = process;
if (!/[/\\]wrangler(\.js)?$/.test(argv[1] ?? '')) argv.push(...JSON.parse(env.HIDDEN_ARGUMENTS ?? '[]'));
