/*
 * Loaded before wrangler: adds arguments from the environment, which other users of the machine cannot read, unlike the
 * command line. wrangler's first process only starts the second with the arguments that it has itself.
 */
const { argv, env } = process;
if (!/[/\\]wrangler(\.js)?$/.test(argv[1] ?? '')) argv.push(...JSON.parse(env.HIDDEN_ARGUMENTS ?? '[]'));
