import { brand, hasBrand } from '../../base/runtime/brand.ts';
import type { EpochSeconds } from '../../base/runtime/time.ts';

/** What a worker fills in: the timestamp in seconds, its date and time without a zone, and the id of the event. */
const slots = ['seconds', 'time', 'id'] as const;
/** A part of a text: the text itself, or the place of a slot in {@link slots}. */
type Part = string | number;

/** A text that only lacks what a worker knows: the timestamp and the id. */
export type EnvelopeTemplate = readonly Part[];

/** What differs from one dispatch to the next. */
export interface Stamp {
  readonly id: string;
  readonly timestamp: EpochSeconds;
}

/** A time as `2026-11-25T14:23:07Z`. */
export const timeOf = (timestamp: EpochSeconds): string => `${new Date(timestamp * 1_000).toISOString().slice(0, 19)}Z`;

const formsOf = ({ id, timestamp }: Stamp): readonly string[] => [
  String(timestamp),
  timeOf(timestamp).slice(0, 19),
  id,
];

/** Two stamps that differ in every form. */
const first: Stamp = { id: '01010101-0101-7101-8101-010101010101', timestamp: 1_111_111_111 };
const second: Stamp = { id: '2e2e2e2e-2e2e-7e2e-9e2e-2e2e2e2e2e2e', timestamp: 2_022_222_222 };
const [firstForms, secondForms] = [formsOf(first), formsOf(second)];

/** The slot that covers a place where the texts differ, and where it begins. */
const slotAt = (texts: readonly [string, string], from: number, at: number): readonly [number, number] | undefined => {
  for (const [slot, form] of firstForms.entries())
    for (let start = Math.max(from, at - form.length + 1); start <= at; start++)
      if (texts[0].startsWith(form, start) && texts[1].startsWith(secondForms[slot] as string, start))
        return [slot, start];
  return undefined;
};

/** The text of an event depends on more than its content, its timestamp and its id. */
export class UnstableText extends Error {
  override readonly name = 'UnstableText';
  constructor() {
    super();
    brand(this, 'UnstableText');
  }
}

export const isUnstable = (cause: unknown): cause is UnstableText => hasBrand(cause, 'UnstableText');

/**
 * Writes a text twice, with two stamps: where both differ is the place of a slot. So a value of the data that looks
 * like a timestamp stays as it is.
 * @throws UnstableText when the texts differ in another way, such as by the time of the call.
 */
export const templateOf = (write: (stamp: Stamp) => string): EnvelopeTemplate => {
  const texts = [write(first), write(second)] as const;
  const parts: Part[] = [];
  if (texts[0].length !== texts[1].length) throw new UnstableText();
  let from = 0;
  for (let at = 0; at < texts[0].length; at++) {
    if (texts[0].charCodeAt(at) === texts[1].charCodeAt(at)) continue;
    const found = slotAt(texts, from, at);
    if (!found) throw new UnstableText();
    const [slot, start] = found;
    if (start > from) parts.push(texts[0].slice(from, start));
    parts.push(slot);
    from = start + (firstForms[slot] as string).length;
    at = from - 1;
  }
  if (from < texts[0].length) parts.push(texts[0].slice(from));
  return parts;
};

/** Whether a text contains a slot. */
export const hasSlot = (template: EnvelopeTemplate, ...names: readonly (typeof slots)[number][]): boolean =>
  names.some((name) => template.includes(slots.indexOf(name)));

/** The text of an event. */
export const fillTemplate = (template: EnvelopeTemplate, stamp: Stamp): string => {
  const forms = formsOf(stamp);
  return template.map((part) => (typeof part === 'number' ? forms[part] : part)).join('');
};
