import { setTimeout } from 'node:timers/promises';
import type { AlertEvent } from '@partnerkit/portal';

/** What a handler receives of an event of operation. */
export interface Received extends AlertEvent {
  /** The account; an empty text: all accounts. */
  readonly accountId: string;
}

/**
 * Handles what happens to an account within `waitMs` together. Each call resolves when its group was sent, so nothing
 * is lost when the process ends: what was not sent is handled again. `waitMs` is below the time-out of the handler.
 * `sleep` is for tests.
 */
export const grouped = (
  waitMs: number,
  send: (accountId: string, events: readonly AlertEvent[]) => Promise<unknown>,
  sleep: (ms: number) => Promise<unknown> = (ms) => setTimeout(ms),
): ((event: Received) => Promise<unknown>) => {
  const groups = new Map<string, { readonly events: AlertEvent[]; readonly sent: Promise<unknown> }>();
  const begin = (accountId: string) => {
    const events: AlertEvent[] = [];
    const sent = sleep(waitMs).then(() => {
      groups.delete(accountId);
      return send(accountId, events);
    });
    const group = { events, sent };
    groups.set(accountId, group);
    return group;
  };
  return ({ accountId, type, data }) => {
    const { events, sent } = groups.get(accountId) ?? begin(accountId);
    events.push({ type, data });
    return sent;
  };
};

/** What partners are told of. Each is a selector of a handler. */
export const alertEvents = [
  ...(['Operations.endpoint.failing', 'Operations.endpoint.recovered', 'Operations.endpoint.disabled'] as const),
  ...(['Operations.secret.rotated', 'Operations.key.added', 'Operations.key.changed'] as const),
  'Operations.account.changed',
  ...(['Operations.sending.paused', 'Operations.sending.resumed'] as const),
] as const;
