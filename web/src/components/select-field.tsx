import { useId, useState, type Ref } from 'react';
import { Label } from './ui/label.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from './ui/select.tsx';

type Props<Value> = {
  label: string;
  /** Hides the label where the context makes the choice clear. */
  isLabelHidden?: boolean;
  /** Announced by screen readers instead of the label, where the label alone is not enough. */
  name?: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  /** Shown while the value is not one of the options. */
  placeholder?: string;
  /** Shown in place of the value, where another element shows the value. */
  shown?: string;
  onChange: (value: Value) => void;
  disabled?: boolean;
  size?: 'default' | 'sm';
  className?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function SelectField<Value extends string | number>({
  label,
  isLabelHidden = false,
  name,
  options,
  value,
  placeholder,
  shown = options.find((option) => option.value === value)?.label ?? placeholder,
  onChange,
  disabled = false,
  size = 'default',
  className,
  ref,
}: Props<Value>) {
  const id = useId();
  // Options are rendered when needed, because many closed selects would be slow to render.
  const [isNear, setNear] = useState(false);
  const choose = (text: string) => {
    const chosen = options.find((option) => String(option.value) === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <div className={className}>
      {!isLabelHidden && (
        <Label htmlFor={id} className={size === 'sm' ? 'mb-1' : 'mb-1.5'}>
          {label}
        </Label>
      )}
      <Select value={String(value)} onValueChange={choose} disabled={disabled}>
        <SelectTrigger
          id={id}
          ref={ref}
          size={size}
          aria-label={isLabelHidden ? label : name}
          onFocus={() => setNear(true)}
          onPointerDown={() => setNear(true)}
        >
          {/* Radix treats an empty value as no value and shows the placeholder. */}
          <SelectValue placeholder={shown}>
            <span>{shown}</span>
          </SelectValue>
        </SelectTrigger>
        {isNear && (
          <SelectContent>
            {options.map((option) => (
              <SelectItem key={option.value} value={String(option.value)}>
                {option.label}
              </SelectItem>
            ))}
          </SelectContent>
        )}
      </Select>
    </div>
  );
}
