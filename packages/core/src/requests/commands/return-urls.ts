import { err, ok, type Result } from '#result';
import type { AccountRef } from '../record/record.ts';
import { type CommandRefusal, wrongFields } from '../record/refusal.ts';

const fields = ['returnUrl', 'cancelUrl'] as const;

/** Whether a text is an HTTPS origin, as `URL` writes it: `https://shop.example`, without a path. */
export const isOrigin = (text: unknown): boolean =>
  typeof text === 'string' && text.startsWith('https://') && URL.canParse(text) && new URL(text).origin === text;
/** The rule of an origin, in words. */
export const originRule = 'an HTTPS origin without a path, such as https://shop.example';

/** Refuses an input that names an address of an origin that the host does not allow the account. */
export const checkReturnUrls = async <Tx extends object>(
  { returnOrigins }: { returnOrigins(account: AccountRef, tx: Tx, idempotencyKey: string): Promise<readonly string[]> },
  input: unknown,
  { account, tx, idempotencyKey }: { account: AccountRef; tx: Tx; idempotencyKey: string },
): Promise<Result<void, CommandRefusal>> => {
  const given = (input ?? {}) as { readonly [F in (typeof fields)[number]]?: string | null };
  const named = fields.filter((field) => typeof given[field] === 'string');
  if (named.length === 0) return ok(undefined);
  const allowed = await returnOrigins(account, tx, idempotencyKey);
  const refused = named.filter((field) => !allowed.includes(new URL(given[field] ?? '').origin));
  if (refused.length === 0) return ok(undefined);
  return err(wrongFields(refused, 'an address of an origin that the platform allows.'));
};
