import type { Overview } from '#contract/awaiting';
import { currentTerm, termText } from '#contract/terms';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { menuItemsOf, menuGroups, type MenuScreen } from '../../components/layout/menu-items.ts';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { awaitingQuery, useAwaitingParts } from '../../lib/awaiting.ts';
import { useLoginState, type LoginState } from '../../lib/login-state.ts';
import { mayOpen, type GuardedPage } from '../../lib/page-access.ts';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import { serverNow } from '../../lib/server-time.ts';
import { overviewQuery } from './queries.ts';

/** On screens of at least 1280 px, the groups of tiles share three columns. */
const shapes = {
  normal: { part: 'xl:col-span-3', list: 'xl:grid-cols-3' },
  plants: { part: '', list: 'xl:grid-cols-1' },
  operations: { part: 'xl:col-span-2', list: '' },
};

/** The start page for staff: every screen, with its figures and pending items. */
export function SettingsScreen() {
  const login = useLoginState();
  const { data: overview = {} } = useQuery(overviewQuery);
  const dry = useQuery({ ...awaitingQuery, enabled: mayOpen(login, '/manage_plants') }).data?.plants
    ?.dry_plants;
  return (
    <ManagementPage title="Settings" lead={`${login.name} · ${login.email}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-3 gap-y-7 xl:grid-cols-3">
        {menuGroups.map(({ name, title }) => {
          const items = menuItemsOf(name, login);
          if (items.length === 0) return null;
          return (
            <section key={name} aria-labelledby={`settings-${name}`} className={shapes[name].part}>
              <h2 id={`settings-${name}`} className="text-sm font-semibold text-ink-soft">
                {title}
              </h2>
              <ul className={`mt-2 grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 ${shapes[name].list}`}>
                {items.map((screen) => (
                  <Tile
                    key={screen.to}
                    screen={screen}
                    state={stateOf(screen.to, { ...overview, dry }, login)}
                  />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </ManagementPage>
  );
}

/** The whole tile is a link to a screen. On top, each kind of pending item has a link of its own. */
function Tile({ screen: { to, label, icon: Icon }, state }: { screen: MenuScreen; state: State }) {
  const waiting = useAwaitingParts(to);
  const [first, second] = state ?? [];
  return (
    <li className="relative rounded-lg border border-line bg-surface px-4 py-3 focus-within:border-accent hover:border-accent">
      <h3 className="flex items-center gap-2.5 font-semibold">
        <span className="text-accent">
          <Icon />
        </span>
        <Link to={to} className="after:absolute after:inset-0 after:rounded-lg hover:text-accent">
          {label({}, { locale: 'ko' })}
        </Link>
      </h3>
      <p className="mt-1 min-h-6 truncate leading-normal tabular-nums" title={first}>
        {first}
      </p>
      <div className="flex min-h-7 flex-wrap items-center gap-2 text-sm text-ink-soft tabular-nums">
        {second !== undefined && (
          <p className="min-w-0 truncate" title={second}>
            {second}
          </p>
        )}
        {waiting.map(({ words, search = {} }) => (
          <Link
            key={words}
            to={to}
            search={search}
            className="relative rounded-sm bg-notice-wash px-2 py-0.5 font-semibold text-notice hover:underline"
          >
            {words}
          </Link>
        ))}
      </div>
    </li>
  );
}

/** One or two lines of figures on a tile; undefined while the figures are unknown. */
type State = string[] | undefined;

const won = (amount: number) => `${amount.toLocaleString('ko')}원`;

function stateOf(
  page: GuardedPage,
  { account, lab, dry }: Overview & { dry: number | null | undefined },
  login: LoginState,
): State {
  switch (page) {
    case '/manage_user_info':
      return [login.univId === null ? '학번/직번 미입력' : `학번/직번 ${login.univId}`];
    case '/manage_users':
      return lab && [`사용자 ${lab.users}명`];
    case '/manage_students':
      return lab && [`학생 ${lab.students}명`];
    case '/manage_courses':
      return lab && coursesState(lab.courses);
    case '/manage_account':
      return account && accountState(account);
    case '/manage_scores':
      return ['점수표를 붙여넣어 학점 계산', '입력한 점수는 이 기기에만 보관'];
    case '/manage_plants':
      return [dry === 0 ? '물이 필요한 화분 없음' : '수분 측정값과 알림'];
    case '/manage_content':
      return ['소개, 구성원, 소식, 논문, 모집'];
    case '/manage_health':
      return (
        lab && [lab.last_backup === null ? '백업 기록 없음' : `마지막 백업 ${minuteOf(lab.last_backup)}`]
      );
    case '/manage_subjects_list':
    case '/settings':
    default:
      return undefined;
  }
}

function accountState({ balance, deposits, withdrawals }: NonNullable<Overview['account']>): string[] {
  return [`현재 잔액 ${won(balance)}`, `이번 달 입금 ${won(deposits)} · 출금 ${won(withdrawals)}`];
}

function coursesState(subjects: string[]): string[] {
  const term = termText(currentTerm(serverNow()));
  return subjects.length === 0
    ? [`${term} 강의 없음`]
    : [`${term} 강의 ${subjects.length}개`, subjects.join(', ')];
}

/** `2026.03.02 14:05` */
const minuteOf = (instant: string) => seoulDateTime(Date.parse(instant)).slice(0, -3);
