/*
 * Loaded before every Node process of a test run. Adds the run's variables to the environment of every child
 * process, so that the run can find and end all of them. Records each start, because the run counts them.
 */
const childProcess = require('node:child_process');
const { subscribe } = require('node:diagnostics_channel');
const { appendFileSync, constants } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { env, argv } = process;
const handedOn = Object.entries(env).filter(([name]) => /^(CPS_TEST_\w+|NODE_COMPILE_CACHE)$/.test(name));
const loadsThis = `--require ${JSON.stringify(__filename)}`;
const [, script = ''] = argv;
const starter = /vitest\/dist\/workers\//.test(script)
  ? 'tests'
  : /\bvitest(\.mjs)?$/.test(script)
    ? 'vitest'
    : 'product';

function note(program) {
  if (env.CPS_TEST_STARTS === undefined) return;
  try {
    appendFileSync(env.CPS_TEST_STARTS, `${starter}\t${program}\n`, {
      flag: constants.O_WRONLY | constants.O_APPEND,
    });
  } catch {
    // The run has ended and deleted the file.
  }
}

subscribe('tracing:child_process.spawn:start', ({ options }) => {
  note(options.file);
  const given = options.envPairs ?? [];
  const place = (name) => given.findIndex((pair) => pair.startsWith(`${name}=`));
  for (const [name, value] of handedOn) if (place(name) === -1) given.push(`${name}=${value}`);
  const at = place('NODE_OPTIONS');
  if (at === -1) given.push(`NODE_OPTIONS=${loadsThis}`);
  else if (!given[at].includes(__filename)) given[at] += ` ${loadsThis}`;
});

// No diagnostics channel reports these calls. They block, so their processes end before the parent.
for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
  const real = childProcess[name];
  childProcess[name] = (...args) => {
    note(args[0]);
    return real(...args);
  };
}
syncBuiltinESMExports();
