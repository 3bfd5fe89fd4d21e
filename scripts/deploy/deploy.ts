/**
 * `npm run deploy [-- --dry-run | --ask | --rollback]`: deploys the whole product into a Cloudflare account, step by step. It can be
 * repeated at any time: each step first checks what exists, so it continues where it stopped.
 */
import { parseArgs } from 'node:util';
import { ask } from '../ask.ts';
import { cloudflareVariables, settings } from '../variables.ts';
import { hintFor } from './error-hints.ts';
import { readParts } from './wrangler-configs.ts';
import { print, printError } from '../terminal.ts';
import { FIRST_BRIDGE, steps, type Deployment } from './steps.ts';

const USAGE = `usage: npm run deploy                  deploys, or goes on where it broke off
       npm run deploy -- --ask         asks again for what it knows already
       npm run deploy -- --dry-run     checks everything and lists the steps; needs no account
       npm run deploy -- --rollback [--dry-run | --yes]   takes both workers back to the version before; --dry-run only says what that is`;

const PATIENCE_MS = 90_000;
const say = (line: string) => print(`        ${line}`);

async function deploy(askAgain: boolean): Promise<void> {
  const deployment: Deployment = { parts: readParts(), askAgain, patienceMs: PATIENCE_MS, say, showOnce };
  for (const [index, { name, run }] of steps.entries()) {
    const place = `${index + 1}/${steps.length} ${name}`;
    try {
      print(`deploy  ${place}: ${await run(deployment)}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const hint = hintFor(reason);
      throw new Error(
        [
          `deploy  ${place} failed`,
          reason,
          ...(hint === undefined ? [] : [`what to do: ${hint}`]),
          'nothing is lost: npm run deploy goes on from here',
        ].join('\n'),
        { cause: error },
      );
    }
  }
  sayWhatIsLeft(deployment);
}

/** Printed at once, because a later step may fail. */
function showOnce(what: string, lines: string): void {
  print(`\n${what}; it is shown this once:\n\n${lines}\n`);
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
      `  lost: npm run bridge-key -- add ${FIRST_BRIDGE} --remote, then revoke the old one`,
      '',
    ].join('\n'),
  );
}

try {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      ask: { type: 'boolean', default: false },
      rollback: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
  });
  if (values.rollback) {
    const { rollBack } = await import('./rollback.ts');
    await rollBack(readParts(), {
      dryRun: values['dry-run'],
      agreed: values.yes,
      ask: process.stdin.isTTY ? ask : undefined,
      accountId: settings(cloudflareVariables).CLOUDFLARE_ACCOUNT_ID,
      say: (line) => print(`rollback  ${line}`),
    });
  } else if (values['dry-run']) {
    const { dryRun } = await import('./dry-run.ts');
    await dryRun(readParts(), print);
  } else {
    await deploy(values.ask);
  }
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error;
  printError(isUsage ? `${error.message}\n${USAGE}` : error);
  process.exitCode = 1;
}
