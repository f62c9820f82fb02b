import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import { withExample } from '../../base/fields/example.ts';
import { asked, described, optional, setLater, value } from '../../base/fields/field.ts';
import { inSeconds, time } from '../../base/fields/values.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { addressKeywords, addressView, isAddress, values, withOptional } from '../fields/fields.ts';
import type { CommandContext, StoredRequest } from '../record/record.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';

const returnRule = 'an HTTPS address of at most 2048 visible ASCII characters, without credentials.';
/** {@link addressKeywords}, without an `@` in the authority. */
const returnForm = '^https://[!$-.0->A-\\[\\]-~]+([/?#][!#-\\[\\]-~]*)?$';
const isReturnUrl = (url: string): boolean => {
  if (!isAddress(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
};
const returnUrl = (description: string, example: string) =>
  value(`${description} HTTPS, of an origin that the platform allows: ask it which.`, {
    input: z
      .string(returnRule)
      .refine(isReturnUrl, returnRule)
      .register(documentation, { keywords: { ...addressKeywords, pattern: returnForm } }),
    view: addressView(example),
  });
const expiry = time('When `paymentUrl` expires.');

/** Where a recipient pays, and where it goes from there. */
export const payingFields = {
  paymentUrl: setLater(values.paymentUrl),
  paymentUrlExpiresAt: inSeconds(setLater(expiry)),
  returnUrl: optional(returnUrl('Where the recipient returns to after paying.', 'https://partner.example/paid')),
  cancelUrl: optional(returnUrl('Where the recipient returns to without paying.', 'https://partner.example/unpaid')),
};

interface Paying {
  readonly paymentUrl?: string;
  readonly paymentUrlExpiresAt?: EpochMs;
}

const setPaymentUrl = <R extends StoredRequest & Paying>(
  request: R,
  {
    paymentUrl,
    paymentUrlExpiresAt,
  }: Required<Pick<Paying, 'paymentUrl'>> & { paymentUrlExpiresAt?: EpochMs | undefined },
  { now }: CommandContext,
): Result<R, CommandRefusal> =>
  paymentUrlExpiresAt !== undefined && paymentUrlExpiresAt <= now
    ? err(wrongField('/paymentUrlExpiresAt', 'a time in the future.'))
    : ok(withOptional<Paying, R>(request, { paymentUrl, paymentUrlExpiresAt }));

/** Sets or replaces the address, and when it expires. */
export const payingCommand = {
  by: 'host',
  from: ['pending'],
  event: 'update',
  input: withExample(
    z.strictObject({
      paymentUrl: asked(values.paymentUrl),
      paymentUrlExpiresAt: described(expiry.input, `${expiry.description} Default: never.`).optional(),
    }),
    { paymentUrl: 'https://pay.example.com/p/1' },
  ),
  apply: setPaymentUrl,
} as const;
