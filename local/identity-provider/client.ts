/**
 * Has the same functions and callback as google.accounts.id, but signs in with the accounts of the local run.
 * @see https://developers.google.com/identity/gsi/web/reference/js-reference
 */
type CredentialResponse = { credential: string; select_by: 'btn' | 'user' | 'auto' };
type Configuration = {
  client_id: string;
  callback: (response: CredentialResponse) => void;
  auto_select?: boolean;
  nonce?: string;
};
type Account = { email: string; name: string };

/** Where the browser stores the account that it used last; disableAutoSelect removes the entry. */
const LAST_ACCOUNT = 'dev-identity-account';

let configuration: Configuration | undefined;

function initialize(options: Configuration): void {
  configuration = options;
}

function renderButton(parent: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Sign in with Google';
  button.style.cssText =
    'font: 500 14px/38px system-ui, sans-serif; padding: 0 16px; color: #1f1f1f; background: #fff; border: 1px solid #747775; border-radius: 4px; cursor: pointer';
  button.addEventListener('click', () => void chooseAccount());
  parent.replaceChildren(button);
}

/** One Tap: if `auto_select` is set, signs in at once with the last account. Otherwise does nothing. */
function prompt(): void {
  const email = localStorage.getItem(LAST_ACCOUNT);
  if (email !== null && configuration?.auto_select === true) void signIn(email, 'auto');
}

function disableAutoSelect(): void {
  localStorage.removeItem(LAST_ACCOUNT);
}

async function chooseAccount(): Promise<void> {
  const answer = await fetch('/dev/identity/accounts');
  const accounts: Account[] = await answer.json();
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', 'Choose an account');
  dialog.style.cssText = 'margin: auto; width: 24rem; max-width: 90vw; padding: 12px; border-radius: 8px';
  const choose = (email: string) => {
    dialog.close();
    void signIn(email, 'btn');
  };
  for (const { email, name } of accounts) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${name} — ${email}`;
    button.style.cssText =
      'display: block; width: 100%; padding: 12px 16px; text-align: left; cursor: pointer';
    button.addEventListener('click', () => choose(email));
    dialog.append(button);
  }
  dialog.append(otherAccount(choose));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function otherAccount(choose: (email: string) => void): HTMLFormElement {
  const form = document.createElement('form');
  const input = document.createElement('input');
  input.type = 'email';
  input.required = true;
  input.setAttribute('aria-label', 'Another email');
  input.placeholder = 'another@lab.test';
  const button = document.createElement('button');
  button.textContent = 'Continue';
  form.append(input, button);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    choose(input.value);
  });
  return form;
}

async function signIn(email: string, selectBy: CredentialResponse['select_by']): Promise<void> {
  if (!configuration) throw new Error('google.accounts.id.initialize() was not called');
  const { callback, nonce } = configuration;
  const claims = nonce === undefined ? {} : { nonce };
  const answer = await fetch('/dev/identity/credential', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, claims }),
  });
  const { credential }: { credential: string } = await answer.json();
  localStorage.setItem(LAST_ACCOUNT, email);
  callback({ credential, select_by: selectBy });
}

/** Google's function closes the window of One Tap. Here there is no such window. */
function cancel(): void {}

const id = { initialize, renderButton, prompt, disableAutoSelect, cancel };
Object.assign(window, { google: { accounts: { id } } });
