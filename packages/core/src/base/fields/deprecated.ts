import type { z } from 'zod';
import { documentation } from '#documentation';
import { type Deprecation, deprecationProblem, describeDeprecated } from '../http/deprecation.ts';
import { described } from './field.ts';

/**
 * The schema of a field that should no longer be used: the documents say so. It is read and sent as before.
 * @example
 * const booking = defineObject('Booking', {
 *   schema: z.object({
 *     id: z.string(),
 *     email: deprecated(z.email(), { since: Date.UTC(2027, 0, 31), instead: 'guest.email' }),
 *     guest: z.object({ email: z.email() }),
 *   }),
 *   events: { confirmed: ['email', 'guest.email'] },
 * });
 * @throws TypeError when a time is wrong.
 * @public
 */
export const deprecated = <S extends z.ZodType>(schema: S, deprecation: Deprecation): S => {
  const problem = deprecationProblem(deprecation);
  if (problem !== undefined) throw new TypeError(`deprecated: the deprecation ${problem}`);
  const { description } = documentation.get(schema) ?? schema.meta() ?? {};
  const copy = described(schema, describeDeprecated(description, deprecation));
  const { keywords } = documentation.get(copy) ?? {};
  documentation.add(copy as z.ZodType, { ...documentation.get(copy), keywords: { ...keywords, deprecated: true } });
  return copy;
};
