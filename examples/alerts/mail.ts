import type { Alerts } from '@partnerkit/core';
import { alertText } from '@partnerkit/portal';
import type { Transporter } from 'nodemailer';
import { alertEvents, grouped } from './grouped.ts';

interface MailOptions {
  /** A transport of nodemailer. */
  readonly transport: Pick<Transporter, 'sendMail'>;
  readonly from: string;
  /** URL of the page with the portal. */
  readonly link: string;
  /** The address that an account named: `kit.alerts`. An account without one gets no mail. */
  readonly alerts: Pick<Alerts, 'findAddress'>;
  /** The language of an account: your own tables know. */
  readonly languageOf: (accountId: string) => Promise<string>;
  /** How long events of an account are collected. */
  readonly waitMs: number;
}

/** A handler that mails alerts. */
export const mailHandler = ({ transport, from, link, alerts, languageOf, waitMs }: MailOptions) => ({
  events: alertEvents,
  // One for each event that waits for its group.
  concurrency: 100,
  timeout: 45_000,
  handle: grouped(waitMs, async (accountId, events) => {
    if (accountId === '') return;
    const found = await alerts.findAddress(accountId);
    // The handler is called again.
    if (found.isErr()) throw new Error(found.error.message);
    const to = found.value;
    if (to === undefined) return;
    const message = alertText(events, { language: await languageOf(accountId), link });
    if (message) await transport.sendMail({ from, to, ...message });
  }),
});
