import type { LabContent } from '#content/lab.ko';
import { CopyButton } from '../../../components/copy-button.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

type Props = { lab: LabContent; of: 'address' | 'email' };

/** Copies address or email. The email is put together on the click alone, so that no harvester finds it. */
export function ContactActions({ lab, of }: Props) {
  useLocale();
  if (of === 'address') return <CopyButton text={() => lab.address.join(', ')} label={m.copy_address()} />;
  const email = () => lab.email.replace(' AT ', '@');
  return (
    <span className="flex flex-wrap gap-x-6">
      <button
        type="button"
        onClick={() => {
          location.href = `mailto:${email()}`;
        }}
        className="text-link min-h-11 text-sm"
      >
        {m.contact_mail()}
      </button>
      <CopyButton text={email} label={m.copy_email()} />
    </span>
  );
}
