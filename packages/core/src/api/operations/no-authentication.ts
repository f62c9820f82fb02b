import { ok } from '#result';
import type { Authentication } from './operation.ts';

const anyone = ok(undefined);

/** Anyone may call the operation. The document needs one refusal of each operation. */
export const noAuthentication: Authentication<undefined> = {
  by: 'none',
  refuses: ['method_not_allowed'],
  admit: () => anyone,
};
