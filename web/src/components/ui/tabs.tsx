import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

type Tab<Name> = { name: Name; label: string };

type Props<Name> = {
  label: string;
  tabs: readonly Tab<Name>[];
  current: Name;
  onChange: (name: Name) => void;
  /** The panel of the current tab. */
  children: ReactNode;
};

/** Tabs with their panel. Arrows, Home and End move between them. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ name }) => name === current);
    const last = tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (target === undefined || !tab) return;
    event.preventDefault();
    onChange(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        className="flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChange(name)}
            className="-mb-px min-h-11 border-b-2 border-transparent px-4 font-semibold whitespace-nowrap text-ink-soft outline-offset-[-4px] hover:text-ink aria-selected:border-accent aria-selected:text-accent"
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`} className="pt-6">
        {children}
      </div>
    </>
  );
}
