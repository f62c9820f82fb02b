import { alertText } from '@partnerkit/portal';
import { alertEvents, grouped } from './grouped.ts';

interface ChatOptions {
  /** URL of the chat's incoming webhook: a secret. */
  readonly url: string;
  /** URL of the page with the portal. */
  readonly link: string;
  /** How long events of an account are collected. */
  readonly waitMs: number;
}

/** Slack reads these characters as markup: a partner's label must not mention a channel. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A handler that posts alerts to a chat of the platform's own operators. */
export const chatHandler = ({ url, link, waitMs }: ChatOptions) => ({
  events: alertEvents,
  // One for each event that waits for its group.
  concurrency: 100,
  timeout: 45_000,
  handle: grouped(waitMs, async (accountId, events) => {
    const message = alertText(events, { link });
    if (!message) return;
    const text = escaped(`${accountId === '' ? 'All accounts' : accountId}\n${message.text}`);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(10_000),
    });
    // Without the URL, which is a secret.
    if (!response.ok) throw new Error(`The chat answered ${response.status}.`);
  }),
});
