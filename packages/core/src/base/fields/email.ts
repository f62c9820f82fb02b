import { z } from 'zod';
import { once } from '../runtime/once.ts';

/** The rule of HTML for `type=email`, with a domain of two labels at least. International domains are `xn--…`. */
const emailForm =
  // linear: a label ends after 63 characters.
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;
/** The rule of {@link email}. */
export const emailRule = 'an e-mail address in ASCII; an international domain in its form xn--….';

/** An e-mail address. */
export const email = once(() => z.email({ pattern: emailForm, error: emailRule }).max(254, 'at most 254 characters.'));
