import { HOUR_MS } from '#contract/time';
import { SESSION_LEFT_HEADER, UNATTENDED_HEADER } from '#contract/session';
import { ApiError, setSender } from './api-error.ts';
import { api } from './api.ts';
import { timesForgotten } from './session-end.ts';
import {
  loginState,
  setStateListener,
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

/* What a tab does while somebody is signed in. Starts when first imported and runs for as long as the page lives. */

/**
 * How often the server is asked who is signed in. Lowered levels and sessions ended elsewhere then show on an idle
 * screen, and the server learns of activity without calls, such as typing scores.
 */
const LOOK_EVERY_MS = 120_000;
/** A longer timer may fire at once. */
const LONGEST_WAIT_MS = HOUR_MS;
const END_KEY = 'sessionEnd';
/** The only calls whose late responses concern whoever is signed in now. */
const LOGIN_CALLS = new Set(['/api/login', '/api/login/status', '/api/logout']);

/** Whether there was user activity since the last call that counted. Opening a page counts. */
let isAttended = true;
let attendedAt = Date.now();
/** When the session ends by this browser's clock; shared between tabs, because each can prolong it. */
let endsAt = Number.POSITIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Tells the server whether the user is active, and learns from the response. Responses for a previous user are dropped.
 */
async function send(request: Request): Promise<Response> {
  const times = timesForgotten();
  const isLoginCall = LOGIN_CALLS.has(new URL(request.url).pathname);
  const counts = isAttended;
  isAttended = false;
  const sentAt = Date.now();
  if (counts) attendedAt = sentAt;
  else request.headers.set(UNATTENDED_HEADER, '1');
  const [result] = await Promise.allSettled([fetch(request)]);
  if (!isLoginCall && times !== timesForgotten()) return new Promise(() => undefined);
  if (result.status === 'rejected') {
    if (counts) isAttended = true;
    throw result.reason;
  }
  const left = result.value.headers.get(SESSION_LEFT_HEADER);
  if (left !== null) {
    learnServerTime(result.value.headers.get('date'), sentAt, Date.now());
    setEnd(Date.now() + Number(left) * 1000);
  }
  return result.value;
}

function setEnd(end: number): void {
  endsAt = end;
  // A polling screen would write on every call.
  if (Math.abs(storedEnd() - end) > 2000) writeStoredText(END_KEY, String(end));
  waitForEnd();
}

const storedEnd = () => Number(readStoredText(END_KEY) ?? endsAt);

function waitForEnd(): void {
  clearTimeout(timer);
  if (!loginState().isLoggedIn) return;
  timer = setTimeout(lookForEnd, Math.min(Math.max(endsAt - Date.now(), 0) + 1000, LONGEST_WAIT_MS));
}

/** Asks the server once the session should have ended; it may have been prolonged elsewhere. */
function lookForEnd(): void {
  endsAt = storedEnd();
  if (Date.now() <= endsAt) waitForEnd();
  else if (loginState().isLoggedIn) void checkLogin();
}

/** Handles what was missed while the page was hidden, frozen, asleep or in the back-forward cache. */
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

/** Whoever switches to and fro between windows asks at the first time, and then once for all. */
const LOOKS_BACK_EVERY_MS = 5000;
let lookBack: ReturnType<typeof setTimeout> | undefined;
let lookedBackAt = Number.NEGATIVE_INFINITY;

function noteInput(event: Event): void {
  if (!event.isTrusted) return;
  isAttended = true;
  tellAttended();
}

/** Reports user activity when no call has done so for a while. */
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
    // For activity during the request.
    tellAttended();
  });
}

/** Unlike checkLogin, changes nothing without a response. @returns whether there was one */
async function askWho(signal?: AbortSignal): Promise<boolean> {
  const times = timesForgotten();
  try {
    const response = await api.login.status.$post({}, { init: { ...(signal && { signal }) } });
    const user = await response.json();
    if (times === timesForgotten()) setLoginState(loginStateOf(user));
    return true;
  } catch (error) {
    const isEnded = error instanceof ApiError && error.status === 401;
    if (isEnded && times === timesForgotten()) resetLoginState();
    return isEnded;
  }
}

/** How long a tab that is told of a logout waits for the server's word. */
const WORD_PATIENCE_MS = 3000;

/** Another tab's end of the session may be its own mistake: the server is asked before somebody is sent away. */
async function hear(state: LoginState): Promise<void> {
  const isEnd = !state.isLoggedIn && loginState().isLoggedIn;
  if (isEnd && (await askWho(AbortSignal.timeout(WORD_PATIENCE_MS)))) return;
  isTold = true;
  replaceLoginState(state);
  isTold = false;
}

setStateListener((state) => void hear(state));

const channel = new BroadcastChannel('login');
let isTold = false;

/** Informs other tabs of the login state if storage is blocked; otherwise the storage event does. */
export function notifyOtherTabs(): void {
  const text = JSON.stringify(loginState());
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  if (!isTold && readStoredText('loginState') !== text) channel.postMessage(text);
}

channel.addEventListener('message', ({ data }: MessageEvent<string>) => {
  void hear(parseLoginState(data));
});
setSender(send);
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
