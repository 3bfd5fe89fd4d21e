import type { IdentityProvider } from '#contract/users';
import { api } from '../../lib/api.ts';

/** The part of Google Identity Services used here. */
type GoogleIdentity = {
  initialize: (options: {
    client_id: string;
    callback: (answer: { credential: string }) => void;
    auto_select: boolean;
    use_fedcm_for_prompt: boolean;
    nonce: string;
  }) => void;
  renderButton: (place: HTMLElement, options: Record<string, string | number>) => void;
  prompt: () => void;
  cancel?: () => void;
  disableAutoSelect: () => void;
};

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleIdentity } };
  }
}

const SCRIPT_PATIENCE_MS = 6000;
const FORGET_PATIENCE_MS = 1500;

type Loaded = { identity: GoogleIdentity; clientId: string };

let loaded: Promise<Loaded> | undefined;
let currentNonce: string | undefined;
let onCredential: (credential: string) => void = () => undefined;

/** Loads Google's script and initialises it, so that its tokens contain this browser's current nonce. */
export async function loadGoogleIdentity(): Promise<GoogleIdentity> {
  const [{ identity, clientId }, answer] = await Promise.all([loadOnce(), api.login.nonce.$post()]);
  const { nonce } = await answer.json();
  if (nonce !== currentNonce) {
    identity.initialize({
      client_id: clientId,
      callback: ({ credential }) => onCredential(credential),
      auto_select: true,
      use_fedcm_for_prompt: true,
      nonce,
    });
    currentNonce = nonce;
  }
  return identity;
}

/** Sets the function that receives the next credential. The script accepts only one callback per page. */
export function setCredentialReceiver(receiver: (credential: string) => void): void {
  onCredential = receiver;
}

/** Loads the script once per page; a failed load can be retried. */
function loadOnce(): Promise<Loaded> {
  loaded ??= loadIdentity().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function loadIdentity(): Promise<Loaded> {
  const provider: IdentityProvider = await (await api.login.provider.$get()).json();
  await loadScript(provider.scriptUrl);
  const identity = window.google?.accounts?.id;
  if (!identity) throw new Error('the identity script did not define google.accounts.id');
  return { identity, clientId: provider.clientId };
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (reason: string) => {
      script.remove();
      reject(new Error(`the identity script ${reason}`));
    };
    const timer = setTimeout(() => fail('took too long'), SCRIPT_PATIENCE_MS);
    script.src = url;
    script.async = true;
    script.addEventListener('load', () => {
      clearTimeout(timer);
      resolve();
    });
    script.addEventListener('error', () => {
      clearTimeout(timer);
      fail('could not be loaded');
    });
    document.head.append(script);
  });
}

/** Keeps Google from signing the user in again on the next visit; does not wait long for Google's script. */
export async function forgetAccountChoice(): Promise<void> {
  const forgotten = loadOnce().then(
    ({ identity }) => callGoogleSafely(() => identity.disableAutoSelect()),
    warn,
  );
  const outOfPatience = new Promise<void>((resolve) => {
    setTimeout(resolve, FORGET_PATIENCE_MS);
  });
  await Promise.race([forgotten, outOfPatience]);
}

/** A filter may have replaced Google's script, so missing functions and errors are only logged. */
export function callGoogleSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    warn(error);
  }
}

const warn = (error: unknown) => console.warn('the identity script failed', error);
