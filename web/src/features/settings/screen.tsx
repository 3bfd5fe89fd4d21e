import { Link } from '@tanstack/react-router';
import { AwaitingBadge } from '../../components/layout/awaiting-badge.tsx';
import { itemsOf, menuGroups } from '../../components/layout/menu-items.ts';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useLoginState } from '../../lib/login-state.ts';

export function SettingsScreen() {
  const login = useLoginState();
  return (
    <ManagementPage title="Settings" lead={`${login.name} · ${login.email}`}>
      <div className="space-y-10">
        {menuGroups.map(({ name, title }) => {
          const items = itemsOf(name, login);
          if (items.length === 0) return null;
          return (
            <section key={name} aria-labelledby={`settings-${name}`}>
              <h2 id={`settings-${name}`} className="text-sm font-semibold text-ink-soft">
                {title}
              </h2>
              <ul className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
                {items.map(({ to, label }) => (
                  <li key={to}>
                    <Button asChild variant="outline" lines="more" className="w-full justify-start">
                      <Link to={to}>
                        {label({}, { locale: 'ko' })}
                        <AwaitingBadge page={to} inWords />
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
