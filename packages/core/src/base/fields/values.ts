import { z } from 'zod';
import { documentation } from '#documentation';
import { once } from '../runtime/once.ts';
import { isIdentifier } from '../runtime/text.ts';
import { type EpochMs, second, toSeconds } from '../runtime/time.ts';
import { derived, type Field, setLater, shownAs, value } from './field.ts';

/** The rule of `identifier`, in words. */
const identifierRule = '1 to 256 bytes of text without control characters.';
/** The rule of `hasControls`, for the document. Every engine of regular expressions reads these escapes. */
export const withoutControls = { pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$' } as const;
/** One line of text: 1 to 256 bytes. */
export const identifier = once(() =>
  z
    .string(identifierRule)
    .refine(isIdentifier, identifierRule)
    .register(documentation, { keywords: { minLength: 1, maxLength: 256, ...withoutControls } }),
);

/** Seconds since 1970. */
export const secondsView = once(() =>
  z.int().register(documentation, {
    description: 'Seconds since 1970-01-01T00:00:00Z.',
    examples: [1_798_761_600],
    keywords: { minimum: 0 },
  }),
);

/** A value that is true or false. */
export const flag = (description: string) =>
  value(description, { input: z.boolean('true or false.'), view: z.boolean() });

const inUnits = (description: string): string => `${description} Seconds since 1970-01-01T00:00:00Z.`;

/** A text that is seen. The document shows the example, and what it is where its name does not say it. */
export const textView = (example: string, description?: string): z.ZodString =>
  z.string().register(documentation, { examples: [example], ...(description === undefined ? {} : { description }) });

/** One line of text, such as a name: 1 to 256 bytes. */
export const text = (description: string, example: string) =>
  value(description, { input: identifier(), view: textView(example) });
/** A time: stored in milliseconds, shown in seconds. */
export const moment = (description: string) => value(inUnits(description), { input: z.number(), view: secondsView() });

const timeRule = 'a time in whole seconds since 1970-01-01T00:00:00Z, before the year 10000.';
/** The last second of the year 9999: milliseconds in the place of seconds are more. */
const maxTime = 253_402_300_799;
/** A time that a caller gives: seconds in inputs and views, stored in milliseconds. */
export const time = (description: string) =>
  value(inUnits(description), {
    input: z
      .int(timeRule)
      .min(0, timeRule)
      .max(maxTime, timeRule)
      .transform((seconds): EpochMs => seconds * second),
    view: secondsView(),
  });
/** Shows a stored time: in seconds, rounded down. */
export const inSeconds = <F extends Field>(field: F): F =>
  shownAs(field, (record: Readonly<Record<string, EpochMs | undefined>>, name) => {
    const at = record[name];
    return at === undefined ? undefined : toSeconds(at);
  });
/** A time that is only seen. */
export const seenAt = (description: string) => inSeconds(derived(moment(description)));
/** A time that is only seen, and may be absent. */
export const seenAtIf = (description: string) => inSeconds(setLater(moment(description)));
