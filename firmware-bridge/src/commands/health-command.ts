import { bridgeVariables } from '../config.ts';
import { errorText } from '../log.ts';

/** What the bridge that runs here says of itself. Returns the text to print. */
export async function healthCommand(
  env: Record<string, string | undefined>,
): Promise<{ exitCode: number; text: string }> {
  const port = bridgeVariables.shape.HEALTH_PORT.safeParse(env['HEALTH_PORT'] || undefined);
  if (!port.success) return { exitCode: 78, text: `HEALTH_PORT ${port.error.issues[0]?.message ?? ''}` };
  try {
    const response = await fetch(`http://127.0.0.1:${port.data}/health`);
    const text = JSON.stringify(await response.json(), null, 2);
    return { exitCode: response.ok ? 0 : 1, text };
  } catch (error) {
    return {
      exitCode: 1,
      text: `no bridge answers here (${errorText(error)}): journalctl -u bridge tells more`,
    };
  }
}
