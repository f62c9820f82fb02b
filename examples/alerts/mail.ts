import { alertText } from '@partnerkit/portal';
import type { Transporter } from 'nodemailer';
import { alertEvents, grouped } from './grouped.ts';

/** Whom a mail goes to: your own tables know. */
interface Recipient {
  readonly address: string;
  readonly language: string;
}

interface MailOptions {
  /** A transport of nodemailer. */
  readonly transport: Pick<Transporter, 'sendMail'>;
  readonly from: string;
  /** URL of the page with the portal. */
  readonly link: string;
  /** Who reads the alerts of an account. `undefined`: nobody. */
  readonly recipientOf: (accountId: string) => Promise<Recipient | undefined>;
  /** How long events of an account are collected. */
  readonly waitMs: number;
}

/** A handler that mails alerts. */
export const mailHandler = ({ transport, from, link, recipientOf, waitMs }: MailOptions) => ({
  events: alertEvents,
  // One for each event that waits for its group.
  concurrency: 100,
  timeout: 45_000,
  handle: grouped(waitMs, async (accountId, events) => {
    const to = accountId === '' ? undefined : await recipientOf(accountId);
    const message = to && alertText(events, { language: to.language, link });
    if (message) await transport.sendMail({ from, to: to.address, ...message });
  }),
});
