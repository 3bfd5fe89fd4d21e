import * as RadixSelect from '@radix-ui/react-select';
import type { Ref } from 'react';

type Option<Value> = { value: Value; label: string };

type Props<Value> = {
  /** Names the control for those who cannot see what stands beside it. */
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  /** Shown while the value is none of the options. */
  placeholder?: string;
  onChange: (value: Value) => void;
  disabled?: boolean;
  size?: 'normal' | 'small';
  ref?: Ref<HTMLButtonElement>;
};

const triggerSizes = { normal: 'min-h-11 w-full px-3 text-base', small: 'min-h-9 w-full px-2.5 text-sm' };

/** One of a few choices, from a list that opens. */
export function Select<Value extends string | number>({
  label,
  options,
  value,
  placeholder,
  onChange,
  disabled = false,
  size = 'normal',
  ref,
}: Props<Value>) {
  const choose = (text: string) => {
    const chosen = options.find((option) => String(option.value) === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <RadixSelect.Root value={String(value)} onValueChange={choose} disabled={disabled}>
      <RadixSelect.Trigger
        ref={ref}
        aria-label={label}
        className={`inline-flex items-center justify-between gap-2 rounded-md border border-line-strong bg-surface whitespace-nowrap hover:border-accent disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft ${triggerSizes[size]}`}
      >
        <RadixSelect.Value placeholder={placeholder} />
        <RadixSelect.Icon>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden fill="none" stroke="currentColor">
            <path d="M2.5 4.5L6 8l3.5-3.5" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </RadixSelect.Icon>
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          className="z-40 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-md border border-line-strong bg-surface shadow-lg"
        >
          <RadixSelect.Viewport className="p-1">
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={String(option.value)}
                className="flex min-h-10 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 whitespace-nowrap outline-none data-highlighted:bg-accent data-highlighted:text-on-accent data-[state=checked]:font-semibold"
              >
                <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
                <RadixSelect.ItemIndicator>
                  <svg
                    width="14"
                    height="14"
                    viewBox="0 0 14 14"
                    aria-hidden
                    fill="none"
                    stroke="currentColor"
                  >
                    <path
                      d="M2.5 7.5l3 3 6-7"
                      strokeWidth="1.6"
                      strokeLinecap="round"
                      strokeLinejoin="round"
                    />
                  </svg>
                </RadixSelect.ItemIndicator>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}
