import { checkBundles } from './check-bundles.ts';
import { writeGenerated, type Parts } from './wrangler-configs.ts';
import { prepare, steps } from './steps.ts';

/**
 * Checks what would be deployed and lists the steps. Needs neither account nor network.
 * @throws Error naming everything that would prevent a deployment
 */
export async function dryRun(parts: Parts, say: (line: string) => void): Promise<void> {
  await prepare(parts);
  writeGenerated(parts, { databaseIds: {}, variables: {} });
  const { lines, problems } = await checkBundles(parts.name);
  say('deploy  checks');
  for (const line of lines) say(`        ${line}`);
  if (problems.length > 0) throw new Error(problems.map((problem) => `refused: ${problem}`).join('\n'));
  say('        bindings, variables, secrets, compatibility dates, migrations: as the code wants them');
  say('deploy  what would be done');
  for (const [index, { name, would }] of steps.entries()) {
    say(`${String(index + 1).padStart(6)}. ${name}: ${would(parts)}`);
  }
}
