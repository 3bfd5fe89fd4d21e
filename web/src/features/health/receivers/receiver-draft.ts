import { receiverKindOfHost, receiverSchema, type NewReceiver, type ReceiverKind } from '#contract/receivers';
import { formProblems } from '../../../lib/form-problems.ts';

type ReceiverDraft = {
  kind: ReceiverKind;
  name: string;
  address: string;
  scope: 'all' | 'some' | 'none';
  plants: string[];
  line: boolean;
  isQuiet: boolean;
  from: string;
  to: string;
};

export const emptyReceiverDraft: ReceiverDraft = {
  kind: 'slack',
  name: '',
  address: '',
  scope: 'all',
  plants: [],
  line: true,
  isQuiet: false,
  from: '22:00',
  to: '07:00',
};

/** Returns the receiver's kind if the typed address clearly shows the kind; otherwise undefined. */
export function receiverKindOfAddress(address: string): ReceiverKind | undefined {
  const host = /^https:\/\/([^/?#:]+)/.exec(address.trim())?.[1];
  if (host !== undefined) return receiverKindOfHost(host.toLowerCase());
  return /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(address.trim()) ? 'mail' : undefined;
}

export function receiverFromDraft({
  kind,
  name,
  address,
  scope,
  plants,
  line,
  isQuiet,
  from,
  to,
}: ReceiverDraft): NewReceiver {
  return {
    kind,
    name: name.trim(),
    address: address.trim(),
    plants: scope === 'all' ? null : scope === 'some' ? plants : [],
    line,
    quiet: isQuiet ? { from, to } : null,
  };
}

export function receiverDraftProblems(draft: ReceiverDraft): Record<string, string> {
  const { quiet, line, ...problems } = formProblems(receiverSchema, receiverFromDraft(draft));
  const lacksPlants = draft.scope === 'some' && draft.plants.length === 0;
  return {
    ...problems,
    ...(lacksPlants ? { scope: '화분을 선택하세요' } : line !== undefined && { line }),
    ...(quiet !== undefined && { to: quiet }),
  };
}
