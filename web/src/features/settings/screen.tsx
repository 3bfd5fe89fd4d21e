import { Link } from '@tanstack/react-router';
import { DueReviews } from '../../components/layout/due-reviews.tsx';
import { managementItems } from '../../components/layout/menu-items.ts';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useLoginState } from '../../lib/login-state.ts';
import { mayOpen } from '../../lib/page-access.ts';

const groups = [
  { name: 'normal', title: '관리' },
  { name: 'plants', title: '화분' },
  { name: 'operations', title: '운영' },
] as const;

export function SettingsScreen() {
  const login = useLoginState();
  return (
    <ManagementPage title="Settings" lead={`${login.name} · ${login.email}`}>
      <div className="space-y-10">
        {groups.map(({ name, title }) => {
          const items = managementItems.filter(({ to, group }) => group === name && mayOpen(login, to));
          if (items.length === 0) return null;
          return (
            <section key={name} aria-labelledby={`settings-${name}`}>
              <h2 id={`settings-${name}`} className="text-sm font-semibold text-ink-soft">
                {title}
              </h2>
              <ul className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
                {items.map(({ to, label }) => (
                  <li key={to}>
                    <Button asChild variant="outline" className="w-full justify-start">
                      <Link to={to}>
                        {label({}, { locale: 'ko' })}
                        {to === '/manage_users' && <DueReviews />}
                      </Link>
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </ManagementPage>
  );
}
