import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { cn } from '../lib/cn.ts';
import type { Column } from './table-column.ts';
import { Button } from './ui/button.tsx';

/** `onChoose` receives the menu's button, to which the focus returns after a dialog. */
export type RowAction = {
  label: string;
  onChoose: (from: HTMLElement) => void;
  /** Shown last, separate from the other actions, and not focused when the menu opens. */
  isDestructive?: boolean;
};

type MenuProps = {
  /** Name of the row, for screen readers: `복사 용지`. */
  name: string;
  actions: readonly RowAction[];
  /** Text of the button, in place of the three dots. */
  label?: string;
  isBusy?: boolean;
  tabIndex?: number;
};

/** The actions for a row, behind one button. https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ */
export function RowMenu({ name, actions, label, isBusy = false, tabIndex }: MenuProps) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (actions.length === 0) return null;
  const close = () => {
    button?.focus({ preventScroll: true });
    setOpen(false);
  };
  return (
    <>
      <Button
        ref={setButton}
        variant={label === undefined ? 'ghost' : 'outline'}
        size="sm"
        className={label === undefined ? '-my-1 px-2.5' : undefined}
        tabIndex={tabIndex}
        aria-label={label ?? `${name} 작업`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        disabled={isBusy}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          // Otherwise the key press would scroll the page, or the next row would take the focus.
          event.preventDefault();
          event.stopPropagation();
          setOpen(true);
        }}
      >
        {label === undefined ? (
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden fill="currentColor">
            <circle cx="3" cy="8" r="1.4" />
            <circle cx="8" cy="8" r="1.4" />
            <circle cx="13" cy="8" r="1.4" />
          </svg>
        ) : (
          `${label} ▾`
        )}
      </Button>
      {isOpen &&
        button &&
        createPortal(
          <MenuList id={id} name={name} actions={actions} button={button} onClose={close} />,
          // The menu is put into the main landmark, because the table would clip the menu.
          button.closest('main') ?? document.body,
        )}
    </>
  );
}

type ListProps = Pick<MenuProps, 'name' | 'actions'> & {
  id: string;
  button: HTMLElement;
  onClose: () => void;
};

/** Opens below its button, or above it if there is no room. Is outside of the table, which would clip it. */
function MenuList({ id, name, actions, button, onClose }: ListProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = menu.current;
    if (!own) return undefined;
    const place = () => {
      const box = button.getBoundingClientRect();
      const isBelow = box.bottom + own.offsetHeight + 8 <= innerHeight;
      own.style.top = `${isBelow ? box.bottom + 4 : Math.max(4, box.top - own.offsetHeight - 4)}px`;
      own.style.left = `${Math.max(4, box.right - own.offsetWidth)}px`;
    };
    place();
    const harmless = own.querySelector<HTMLElement>('[role=menuitem]:not([data-destructive])');
    (harmless ?? own).focus({ preventScroll: true });
    const over = new AbortController();
    addEventListener('scroll', place, { signal: over.signal, capture: true });
    addEventListener('resize', place, { signal: over.signal });
    return () => over.abort();
  }, [button]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && (menu.current?.contains(target) || button.contains(target))) return;
      onClose();
    };
    addEventListener('pointerdown', leave);
    return () => removeEventListener('pointerdown', leave);
  }, [button, onClose]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = items.findIndex((item) => item === document.activeElement);
    const targets: Record<string, number> = {
      ArrowUp: Math.max(at, 0) - 1,
      ArrowDown: (at + 1) % items.length,
      Home: 0,
      End: -1,
    };
    const target = items.at(targets[event.key] ?? Infinity);
    if (target || event.key === 'Escape' || event.key === 'Tab') event.preventDefault();
    if (target) target.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
  };
  const last = actions.filter(({ isDestructive }) => isDestructive);
  const shown = [...actions.filter((action) => !last.includes(action)), ...last];
  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      lang="ko"
      tabIndex={-1}
      aria-label={`${name} 작업`}
      onKeyDown={onKeyDown}
      className="fixed z-40 max-h-[calc(100dvh-8px)] min-w-36 overflow-y-auto rounded-md border border-line-strong bg-surface p-1 shadow-lg print:hidden"
    >
      {shown.map((action) => (
        <button
          key={action.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-destructive={action.isDestructive}
          onClick={() => {
            onClose();
            action.onChoose(button);
          }}
          className={cn(
            'flex min-h-9 w-full items-center px-3 text-left text-sm whitespace-nowrap outline-offset-[-2px] pointer-coarse:min-h-11',
            action.isDestructive
              ? 'text-danger hover:bg-danger-wash not-first:border-t not-first:border-line'
              : 'hover:bg-sunken',
          )}
        >
          {action.label}
        </button>
      ))}
    </div>
  );
}

type ColumnOptions<Row> = {
  name: (row: Row) => string;
  actions: (row: Row) => readonly RowAction[];
  isBusy?: boolean;
  width?: string;
};

/** The last column: a menu with the actions for the row. */
export function menuColumn<Row>({ name, actions, isBusy = false, width }: ColumnOptions<Row>): Column<Row> {
  return {
    key: 'menu',
    header: '작업',
    align: 'end',
    isControl: true,
    className: 'w-px whitespace-nowrap',
    ...(width !== undefined && { width }),
    cell: (row) => <RowMenu name={name(row)} actions={actions(row)} isBusy={isBusy} />,
  };
}
