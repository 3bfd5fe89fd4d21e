import { HOUR_MS } from '#contract/time';
import { SESSION_TTL_HEADER, BACKGROUND_HEADER } from '#contract/session';
import { ApiError, setRequestSender } from './api-error.ts';
import { api } from './api.ts';
import { userDataClearedCount } from './session-end.ts';
import {
  loginState,
  setLoginStateListener,
  loginStateOf,
  type LoginState,
  onLoginChange,
  parseLoginState,
  replaceLoginState,
  rereadLoginState,
  resetLoginState,
  setLoginState,
} from './login-state.ts';
import { learnServerTime } from './server-time.ts';
import { checkLogin } from './session.ts';
import { readStoredText, writeStoredText } from './stored-text.ts';

/* Runs in each tab of a signed-in user, from the first import of this module until the page is closed. */

/**
 * How often the server is asked who is signed in, in milliseconds. So an idle screen notices a lowered level
 * or a session that ended elsewhere, and the server learns of activity without calls, such as typing.
 */
const LOOK_EVERY_MS = 120_000;
/** A timer beyond the browser's limit fires immediately, so long waits are split. */
const LONGEST_WAIT_MS = HOUR_MS;
const END_KEY = 'sessionEnd';
/** Only these calls may answer after a change of user: their responses say who is signed in. */
const LOGIN_CALLS = new Set(['/api/login', '/api/login/status', '/api/logout']);

/** Whether the user was active since the last call that reported activity. Opening a page is activity. */
let isAttended = true;
let attendedAt = Date.now();
/** When the session ends by this browser's clock; tabs share this time, because each can prolong it. */
let endsAt = Number.POSITIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reports user activity and reads when the session ends. Responses for a previous user are dropped. */
async function send(request: Request): Promise<Response> {
  const times = userDataClearedCount();
  const isLoginCall = LOGIN_CALLS.has(new URL(request.url).pathname);
  const counts = isAttended;
  isAttended = false;
  const sentAt = Date.now();
  if (counts) attendedAt = sentAt;
  else request.headers.set(BACKGROUND_HEADER, '1');
  const [result] = await Promise.allSettled([fetch(request)]);
  if (!isLoginCall && times !== userDataClearedCount()) return new Promise(() => undefined);
  if (result.status === 'rejected') {
    if (counts) isAttended = true;
    throw result.reason;
  }
  const left = result.value.headers.get(SESSION_TTL_HEADER);
  if (left !== null) {
    learnServerTime(result.value.headers.get('date'), sentAt, Date.now());
    setEnd(Date.now() + Number(left) * 1000);
  }
  return result.value;
}

function setEnd(end: number): void {
  endsAt = end;
  // Small differences are not stored, because a polling screen would write to storage on every call.
  if (Math.abs(storedEnd() - end) > 2000) writeStoredText(END_KEY, String(end));
  waitForEnd();
}

const storedEnd = () => Number(readStoredText(END_KEY) ?? endsAt);

function waitForEnd(): void {
  clearTimeout(timer);
  if (!loginState().isLoggedIn) return;
  timer = setTimeout(lookForEnd, Math.min(Math.max(endsAt - Date.now(), 0) + 1000, LONGEST_WAIT_MS));
}

/** Asks the server when the session should have ended: another tab may have prolonged the session. */
function lookForEnd(): void {
  endsAt = storedEnd();
  if (Date.now() <= endsAt) waitForEnd();
  else if (loginState().isLoggedIn) void checkLogin();
}

/** Catches up after the page was hidden, frozen, asleep or in the back-forward cache. */
function catchUp(): void {
  rereadLoginState();
  lookForEnd();
  lookBack ??= setTimeout(
    () => {
      lookBack = undefined;
      lookedBackAt = performance.now();
      look();
    },
    Math.max(0, lookedBackAt + LOOKS_BACK_EVERY_MS - performance.now()),
  );
}

/** When the user returns to the window, the session is checked immediately, but once per interval at most. */
const LOOKS_BACK_EVERY_MS = 5000;
let lookBack: ReturnType<typeof setTimeout> | undefined;
let lookedBackAt = Number.NEGATIVE_INFINITY;

function noteInput(event: Event): void {
  if (!event.isTrusted) return;
  isAttended = true;
  tellAttended();
}

/** Reports user activity if no call has done so for a while. */
function tellAttended(): void {
  if (isAttended && Date.now() - attendedAt > LOOK_EVERY_MS) look();
}

let isLooking = false;

/** Asks who is signed in while the page is visible. */
function look(): void {
  if (isLooking || document.hidden || !loginState().isLoggedIn) return;
  isLooking = true;
  void askWho().finally(() => {
    isLooking = false;
    // Reports activity that happened during the request.
    tellAttended();
  });
}

/** Unlike checkLogin, changes nothing without a response. @returns whether there was a response */
async function askWho(signal?: AbortSignal): Promise<boolean> {
  const times = userDataClearedCount();
  try {
    const response = await api.login.status.$post({}, { init: { ...(signal && { signal }) } });
    const user = await response.json();
    if (times === userDataClearedCount()) setLoginState(loginStateOf(user));
    return true;
  } catch (error) {
    const isEnded = error instanceof ApiError && error.status === 401;
    if (isEnded && times === userDataClearedCount()) resetLoginState();
    return isEnded;
  }
}

/** How long a tab waits for the server to confirm another tab's logout, in milliseconds. */
const WORD_PATIENCE_MS = 3000;

/** Another tab may be wrong about a session's end: the server is asked before the user is signed out here. */
async function hear(state: LoginState): Promise<void> {
  const isEnd = !state.isLoggedIn && loginState().isLoggedIn;
  if (isEnd && (await askWho(AbortSignal.timeout(WORD_PATIENCE_MS)))) return;
  isTold = true;
  replaceLoginState(state);
  isTold = false;
}

setLoginStateListener((state) => void hear(state));

const channel = new BroadcastChannel('login');
let isTold = false;

/** Sends the login state to other tabs if storage is blocked; otherwise the storage event does so. */
export function notifyOtherTabs(): void {
  const text = JSON.stringify(loginState());
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  if (!isTold && readStoredText('loginState') !== text) channel.postMessage(text);
}

channel.addEventListener('message', ({ data }: MessageEvent<string>) => {
  void hear(parseLoginState(data));
});
setRequestSender(send);
onLoginChange(waitForEnd);
onLoginChange(notifyOtherTabs);
addEventListener('storage', ({ key }) => {
  if (key === END_KEY) lookForEnd();
});
setInterval(look, LOOK_EVERY_MS);
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) catchUp();
});
addEventListener('focus', catchUp);
document.addEventListener('visibilitychange', catchUp);
for (const type of ['pointerdown', 'keydown', 'wheel']) {
  addEventListener(type, noteInput, { capture: true, passive: true });
}
