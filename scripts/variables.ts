import { brokerUrlVariable, listVariable, readVariables } from '#contract/variables';
import * as z from 'zod';
import { commandEnvironment } from './command-environment.ts';

export const commandEnvSchema = z.object({
  DATA_DIR: z.string().default('.data').meta({ description: "the local run's data folder" }),
  BACKUP_RECIPIENT: listVariable(
    z.string().regex(/^age1[02-9ac-hj-np-z]{58}$/, 'must be public keys of age (age1…), comma-separated'),
  )
    .default([])
    .meta({
      description:
        'public keys for which archives are encrypted, comma-separated; used instead of a passphrase',
    }),
  BACKUP_IDENTITY_FILE: z.string().optional().meta({
    description:
      'the file of a secret key (AGE-SECRET-KEY-1…) that decrypts archives; only restore and drill read it',
  }),
  BACKUP_PASSPHRASE_FILE: z.string().optional().meta({
    description: 'the file of the passphrase that archives are encrypted with, 12 characters or more',
  }),
});

export const replayEnvSchema = z.object({
  MQTT_URL: brokerUrlVariable()
    .default('mqtt://127.0.0.1:1883')
    .meta({ description: 'the broker to which replay publishes' }),
  MQTT_USERNAME: z.string().optional().meta({ description: "replay's user name at the broker" }),
  MQTT_PASSWORD: z.string().optional().meta({ description: "replay's password at the broker", secret: true }),
  MQTT_CA_FILE: z
    .string()
    .optional()
    .meta({ description: "PEM file with the broker's certificate authority; without it the system's" }),
});

export const cloudflareEnvSchema = z.object({
  CLOUDFLARE_API_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'a token of the account, if nobody can log in by browser', secret: true }),
  CLOUDFLARE_ACCOUNT_ID: z.string().optional().meta({ description: 'which account, if you may use several' }),
});

/**
 * Parses the environment of the running command.
 * @throws Error with one line per invalid variable
 */
export function parseSettings<Variables extends z.ZodObject>(variables: Variables): z.output<Variables> {
  const read = readVariables(variables, commandEnvironment().env);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.values;
}
