/*
 * Loaded before wrangler. Adds arguments from the environment, because other users of the machine can read a
 * command line but not the environment. wrangler's first process starts a second process with the same
 * arguments, so only the second process adds them.
 */
const { argv, env } = process;
if (!/[/\\]wrangler(\.js)?$/.test(argv[1] ?? '')) argv.push(...JSON.parse(env.HIDDEN_ARGUMENTS ?? '[]'));
