import { existsSync, readFileSync } from 'node:fs';
import { REPAIR_STEPS } from '#contract/first-steps';
import { variableDescription, readVariables } from '#contract/variables';
import { printable } from '#contract/printable-text';
import * as z from 'zod';
import { apiEnvSchema } from '../../worker/src/lib/config.ts';
import { replaceFile } from '../../firmware-bridge/src/files.ts';
import { defaultDeploymentName } from '../deployment-name.ts';
import { print } from '../terminal.ts';
import { commandEnvironment, type Operator } from '../command-environment.ts';

/*
 * Values that only the operator knows. A secret goes from the keyboard to Cloudflare and is never stored. The
 * other values are read from the deployed worker or, before there is a worker, from a file.
 */

/** The file with the answers for a deployment. It is read until the deployed worker has the answers. */
export const answersFile = (name: string) =>
  name === defaultDeploymentName() ? '.deploy.json' : `.deploy-${name}.json`;

const NONE = '-';

/** A variable with the same check as in the API worker. */
function answer(
  name: 'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET' | 'ADMIN_EMAILS' | 'UNIVERSITY_EMAIL_DOMAINS',
) {
  return z.string().check(({ value, issues }) => {
    if (value === NONE && name === 'UNIVERSITY_EMAIL_DOMAINS') return;
    const { error } = apiEnvSchema.shape[name].safeParse(value);
    if (error) issues.push({ code: 'custom', message: error.issues[0]?.message ?? '', input: value });
  });
}

/** The environment variables of `npm run deploy`. Without a terminal, they are the answers. */
export const deployEnvSchema = z.object({
  GOOGLE_CLIENT_ID: answer('GOOGLE_CLIENT_ID')
    .optional()
    .meta({ description: "id of the site's OAuth client at Google" }),
  GOOGLE_CLIENT_SECRET: answer('GOOGLE_CLIENT_SECRET')
    .optional()
    .meta({ description: 'secret of that client', secret: true }),
  ADMIN_EMAILS: answer('ADMIN_EMAILS')
    .optional()
    .meta({ description: 'who becomes an admin at the first sign-in, comma-separated' }),
  UNIVERSITY_EMAIL_DOMAINS: answer('UNIVERSITY_EMAIL_DOMAINS')
    .optional()
    .meta({ description: 'domains whose users start at level 8, comma-separated, or - for none' }),
  SITE_DOMAIN: z
    .string()
    .regex(/^(-|[a-z0-9.-]+\.[a-z]{2,})$/, 'must be a domain like lab.univ.example, or - for none')
    .optional()
    .meta({ description: "the site's own domain, or - for none" }),
});
type Name = keyof typeof deployEnvSchema.shape;
/** The answers in the order of the questions. */
const asked = ['GOOGLE_CLIENT_ID', 'ADMIN_EMAILS', 'UNIVERSITY_EMAIL_DOMAINS', 'SITE_DOMAIN'] as const;

/** Answers by name. An answer `-` means that there is no value. */
export type DeployAnswers = { [Each in Name]?: string | undefined };

const keptSchema = z.partialRecord(z.enum(asked), z.string());

function kept(file: string): DeployAnswers {
  if (!existsSync(file)) return {};
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(
      `${file} is damaged. First step: ${REPAIR_STEPS.answers(file)}, which asks for them again`,
      {
        cause,
      },
    );
  }
}

/**
 * Finds the values that only the operator knows, or asks for them.
 * @param deployment the deployment's name
 * @param known values from the account
 * @param askAgain whether to ask for known values too; they are then the defaults
 * @throws Error naming each missing or invalid answer, if there is no terminal
 */
export async function collectAnswers(
  deployment: string,
  known: DeployAnswers & { hasClientSecret: boolean },
  askAgain: boolean,
): Promise<DeployAnswers> {
  const given = readVariables(deployEnvSchema, commandEnvironment().env);
  if ('problems' in given) throw new Error(given.problems.join('\n'));
  const { hasClientSecret, ...deployed } = known;
  const answers: DeployAnswers = { ...kept(answersFile(deployment)), ...deployed, ...given.values };
  const wanted: Name[] = [...asked, ...(hasClientSecret ? [] : (['GOOGLE_CLIENT_SECRET'] as const))];
  const open = wanted.filter(
    (name) => answers[name] === undefined || (askAgain && given.values[name] === undefined),
  );
  const { person } = commandEnvironment();
  if (open.length > 0 && person === undefined) {
    const lines = open.map((name) => `  ${name}: ${variableDescription(deployEnvSchema, name)}`);
    throw new Error(`there is no terminal to ask at; set these environment variables:\n${lines.join('\n')}`);
  }
  if (person) for (const name of open) answers[name] = await ask(person, name, answers[name]);
  const notSecret = Object.fromEntries(asked.map((name) => [name, answers[name]]));
  replaceFile(answersFile(deployment), `${JSON.stringify(keptSchema.parse(notSecret), undefined, 2)}\n`);
  return answers;
}

/** Asks until the answer is valid. The answer is not shown if it is a secret. */
async function ask(person: Operator, name: Name, standard: string | undefined): Promise<string> {
  const question = `${name} (${variableDescription(deployEnvSchema, name)})${standard === undefined ? '' : ` [${printable(standard)}]`}: `;
  const asks = name === 'GOOGLE_CLIENT_SECRET' ? person.askSecret : person.ask;
  for (;;) {
    const typed = (await asks(question)) || (standard ?? '');
    const problem = problemWith(name, typed);
    if (problem === undefined) return typed;
    print(problem);
  }
}

function problemWith(name: Name, given: string): string | undefined {
  if (given === '') return `${name} is required: ${variableDescription(deployEnvSchema, name)}`;
  const read = readVariables(deployEnvSchema, { [name]: given });
  return 'problems' in read ? read.problems[0] : undefined;
}

/** @param domains the site's present domains; its own domain comes first */
export function publicVariables(answers: DeployAnswers, domains: readonly string[]): Record<string, string> {
  const text = (name: Name) => (answers[name] === NONE ? '' : (answers[name] ?? ''));
  const site = text('SITE_DOMAIN') || domains[0];
  return {
    GOOGLE_CLIENT_ID: text('GOOGLE_CLIENT_ID'),
    ADMIN_EMAILS: text('ADMIN_EMAILS'),
    UNIVERSITY_EMAIL_DOMAINS: text('UNIVERSITY_EMAIL_DOMAINS'),
    ...(site !== undefined && { SITE_URL: `https://${site}` }),
  };
}
