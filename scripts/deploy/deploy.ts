/**
 * `npm run deploy`: deploys the whole product into a Cloudflare account, step by step. It can be repeated at
 * any time: each step first checks what exists, so a second run continues where the first one stopped.
 */
import { cloudflareEnvSchema, parseSettings } from '../variables.ts';
import { wranglerErrorHint } from './run-wrangler.ts';
import { readDeployConfig, type DeployConfig } from './wrangler-configs.ts';
import { refuseExtraArguments, UsageError } from '../../firmware-bridge/src/commands/command-line.ts';
import { explainError } from '../../firmware-bridge/src/system-error.ts';
import { deploymentName, nameOption, targetFlags, defaultDeploymentName } from '../deployment-name.ts';
import { defineCommand, print, runAsProgram } from '../terminal.ts';
import { commandEnvironment } from '../command-environment.ts';
import { FIRST_BRIDGE_ID, deploySteps, type Deployment } from './steps.ts';

const HELP = {
  command: 'npm run deploy --',
  does: 'deploys the whole product into a Cloudflare account, step by step. If you run it again, it continues where it stopped.',
  ways: [
    ['', 'deploys, or continues where it stopped'],
    ['--ask', 'asks again for values that it already knows'],
    ['--dry-run', 'checks everything and lists the steps; needs no account'],
    ['--rollback [--dry-run | --yes]', 'rolls both workers back to the previous version'],
    ['--name <name> …', 'a separate deployment beside others in the account'],
  ],
  options: {
    'dry-run': { type: 'boolean', default: false, tells: 'changes nothing, and lists what it would do' },
    ask: {
      type: 'boolean',
      default: false,
      tells: 'asks for every value again, and offers the present value',
    },
    rollback: {
      type: 'boolean',
      default: false,
      tells: 'restores the version before the last deployment, but changes no data',
    },
    yes: { type: 'boolean', default: false, tells: 'with --rollback: does not ask for confirmation' },
    name: { ...nameOption, tells: 'the name with which all its parts begin (default: cps-lab)' },
  },
  notes:
    'CLOUDFLARE_API_TOKEN replaces npx wrangler login; CLOUDFLARE_ACCOUNT_ID chooses one of several accounts.',
  example: 'npm run deploy -- --dry-run',
  page: 'docs/deploy.md',
} as const;

const PATIENCE_MS = 90_000;
const say = (line: string) => print(`        ${line}`);

async function deploy(parts: DeployConfig, askAgain: boolean): Promise<void> {
  const deployment: Deployment = { parts, askAgain, patienceMs: PATIENCE_MS, say, showOnce };
  for (const [index, { name, run }] of deploySteps.entries()) {
    const place = `${index + 1}/${deploySteps.length} ${name}`;
    try {
      print(`deploy  ${place}: ${await run(deployment)}`);
    } catch (error) {
      const reason = explainError(error);
      const hint = wranglerErrorHint(error instanceof Error ? error.message : reason);
      throw new Error(
        [
          `deploy  ${place} failed`,
          reason,
          ...(hint === undefined ? [] : [`what to do: ${hint}`]),
          `nothing is lost: npm run deploy${parts.name === defaultDeploymentName() ? '' : ` -- --name ${parts.name}`} continues from here`,
        ].join('\n'),
        { cause: error },
      );
    }
  }
  sayWhatIsLeft(deployment);
}

/** Prints a value that cannot be shown again. It is printed at once, because a later step may fail. */
function showOnce(what: string, lines: string): void {
  print(`\n${what}; this value is shown only now:\n\n${lines}\n`);
}

function sayWhatIsLeft({ domains = [], answers = {}, ingest = '', parts }: Deployment): void {
  const wanted = answers.SITE_DOMAIN;
  const isOpen = wanted !== undefined && wanted !== '-' && !domains.includes(wanted);
  const origins = [...new Set([...domains, ...(isOpen ? [wanted] : [])])].map(
    (domain) => `https://${domain}`,
  );
  print(
    [
      '',
      `The site: ${origins.join(', ')}`,
      '',
      'At Google (console.cloud.google.com, Credentials, the OAuth client):',
      ...origins.flatMap((origin) => [
        `  authorised JavaScript origin   ${origin}`,
        `  authorised redirect URI        ${origin}/api/login/callback`,
      ]),
      ...(isOpen
        ? [
            '',
            `The domain ${wanted}: dash.cloudflare.com, Workers & Pages, ${parts.site.name}, Custom domains, Set up a domain.`,
          ]
        : []),
      '',
      'The Raspberry Pi, as firmware-bridge/README.md says: npm run package, install it there, then sudo cps-setup asks for',
      `  the address of the ingest worker   ${ingest}`,
      '  BRIDGE_ID and BRIDGE_KEY as shown when the key was made;',
      `  if the key is lost: npm run bridge -- key add ${FIRST_BRIDGE_ID}${targetFlags(parts.name)}, then revoke the old key`,
      '',
    ].join('\n'),
  );
}

export const deployCommand = defineCommand(HELP, async ({ values, words }) => {
  const { 'dry-run': isDry, ask: askAgain, rollback, yes } = values;
  refuseExtraArguments(words);
  const name = deploymentName(values.name);
  if (yes && !rollback) throw new UsageError('--yes is only for --rollback');
  if (yes && isDry) throw new UsageError('--yes confirms a change, but --dry-run changes nothing');
  if (askAgain && (rollback || isDry))
    throw new UsageError(`--ask is only for a deployment: leave out --${rollback ? 'rollback' : 'dry-run'}`);
  if (rollback) {
    const { rollBack } = await import('./rollback.ts');
    await rollBack(readDeployConfig(name), {
      dryRun: isDry,
      agreed: yes,
      ask: commandEnvironment().person?.ask,
      accountId: parseSettings(cloudflareEnvSchema).CLOUDFLARE_ACCOUNT_ID,
      say: (line) => print(`rollback  ${line}`),
    });
  } else if (isDry) {
    const { dryRun } = await import('./dry-run.ts');
    await dryRun(readDeployConfig(name), print);
  } else {
    await deploy(readDeployConfig(name), askAgain);
  }
});

if (import.meta.main) await runAsProgram(deployCommand);
