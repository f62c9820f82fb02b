import { z } from 'zod';
import { documentation } from '#documentation';
import { described, type Field } from '../../base/fields/field.ts';
import { secondsView, textView, withoutControls } from '../../base/fields/values.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';

/**
 * A reference to a file that proves something. partnerkit stores no files.
 * @public
 */
export interface Evidence {
  /** The file's id where it is kept: 1 to 200 characters of `A-Z a-z 0-9 . _ ~ : / -`. */
  readonly id: string;
  /** What it is, such as `photo`, `invoice` or `report`: 1 to 32 characters of `a-z 0-9 _`. */
  readonly kind: string;
  /** Its name: 1 to 100 characters. */
  readonly name?: string;
  /** Its media type, such as `image/jpeg`. */
  readonly contentType?: string;
  /** In bytes. */
  readonly size?: number;
  /** The SHA-256 of its bytes, in lower-case hexadecimal. */
  readonly sha256?: string;
}

/**
 * Evidence, as a cash-out keeps it.
 * @public
 */
export interface GivenEvidence extends Evidence {
  /** The command that it was given with: `claim` of the recipient, or `create`, `offer` or `deny` of the partner. */
  readonly command: string;
  /** When it was given. */
  readonly at: EpochMs;
}

const text = (rule: string, pattern: RegExp, { max, examples }: { max: number; examples: readonly string[] }) =>
  z
    .string(rule)
    .max(max, rule)
    .regex(pattern, rule)
    .register(documentation, { keywords: { minLength: 1, maxLength: max }, examples: [...examples] });

const idRule = '1 to 200 of letters, digits and . _ ~ : / -.';
const nameRule = '1 to 100 characters of text without control characters.';
const sizeRule = 'the number of bytes: a whole number from 0.';

/** The SHA-256 of `hello`. */
const digest = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

/** What describes a file. */
export const fileFields = {
  kind: described(
    text('1 to 32 of a-z, 0-9 and _, such as photo.', /^[a-z0-9_]+$/, { max: 32, examples: ['photo'] }),
    'What it is, such as `photo`, `invoice` or `report`.',
  ),
  name: described(
    z
      .string(nameRule)
      .refine((name) => name.length <= 100 && isIdentifier(name), nameRule)
      .register(documentation, { keywords: { minLength: 1, maxLength: 100, ...withoutControls }, examples: ['Lamp'] }),
    'Its name.',
  ),
  contentType: described(
    text('a media type of at most 64 characters, such as image/jpeg.', /^[\w.+-]+\/[\w.+-]+$/, {
      max: 64,
      examples: ['image/jpeg'],
    }),
    'Its media type.',
  ),
  size: described(z.int(sizeRule).nonnegative(sizeRule), 'In bytes.'),
  sha256: described(
    text('64 hexadecimal digits in lower case.', /^[0-9a-f]{64}$/, { max: 64, examples: [digest] }),
    'The SHA-256 of its bytes, in lower-case hexadecimal.',
  ),
};
export const fileId = text(idRule, /^[\w.~:/-]+$/, { max: 200, examples: ['01J8Z0.jpg'] });

const { kind, name, contentType, size, sha256 } = fileFields;
const shape = {
  id: described(fileId, "The file's id where it is kept."),
  kind,
  name: name.optional(),
  contentType: contentType.optional(),
  size: size.optional(),
  sha256: sha256.optional(),
};
/** How many a command may give, and a cash-out keeps of each side. */
const maxEvidence = 20;
const file = z.strictObject(shape, 'an object with id and kind.').register(documentation, { name: 'EvidenceInput' });
const listRule = `a list of at most ${maxEvidence} files.`;
const input = described(
  z.array(file, listRule).max(maxEvidence, listRule),
  `References to files that prove it: at most ${maxEvidence}.`,
).optional();
/** The input of a command that evidence may be given with. */
export const evidenceInput = { evidence: input };

/** The evidence of a command that gives nothing else. */
export const evidenceOfCase = described(
  z.array(file, listRule).min(1, listRule).max(maxEvidence, listRule),
  `References to files that prove it: 1 to ${maxEvidence}.`,
);

const description = `References to files: the latest ${maxEvidence} of the partner and of the recipient, oldest first.`;
const view = z.array(
  z.object({ ...shape, command: textView('claim', 'The command that brought it.'), createdAt: secondsView() }),
);

/** The field of a cash-out. */
export const evidenceField: Field<
  typeof input,
  undefined,
  z.ZodOptional<typeof view>,
  readonly GivenEvidence[] | undefined
> = {
  description,
  created: input,
  changed: undefined,
  view: described(view, description).optional(),
  show: ({ evidence }: { readonly evidence?: readonly GivenEvidence[] }) =>
    evidence?.map(({ at, ...given }) => ({ ...given, createdAt: toSeconds(at) })),
};

/** Schema of the evidence of a command, in a history. */
export const evidenceView = z.array(z.object(shape));

/** The evidence of an input, if any. */
export const evidenceOf = (given: unknown): readonly Evidence[] | undefined => {
  const { evidence = [] } = (given ?? {}) as { readonly evidence?: readonly Evidence[] };
  return evidence.length > 0 ? evidence : undefined;
};

const isOfRecipient = ({ command }: GivenEvidence): boolean => command === 'claim';

/** A record with the evidence of a command: it keeps the latest of each side. */
export const withEvidence = <R extends { readonly evidence?: readonly GivenEvidence[] }>(
  record: R,
  given: unknown,
  command: string,
  at: EpochMs,
): R => {
  const added = evidenceOf(given);
  if (!added) return record;
  const all = [...(record.evidence ?? []), ...added.map((each): GivenEvidence => ({ ...each, command, at }))];
  const kept = [true, false].flatMap((side) => all.filter((each) => isOfRecipient(each) === side).slice(-maxEvidence));
  return { ...record, evidence: all.filter((each) => kept.includes(each)) };
};
