import { ok } from 'neverthrow';
import type { Authentication } from './operation.ts';

const anyone = ok(undefined);

/** Anyone may call the operation. The document needs one refusal of each operation. @internal */
export const nobody: Authentication<undefined> = {
  by: 'nobody',
  refuses: ['method_not_allowed'],
  admit: () => anyone,
};
