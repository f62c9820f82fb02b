import { z } from 'zod';
import { documentation } from '#documentation';
import { secondsView } from '../../base/fields/values.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { type Evidence, fileFields, fileId } from '../fields/evidence.ts';
import { values } from '../fields/fields.ts';
import type { AccountRef } from '../record/record.ts';

/**
 * Where a partner uploads one file, as the host's storage signs it.
 * @public
 */
export interface EvidenceUpload {
  /** The file's id: `id` of the evidence that names it. */
  readonly id: string;
  /** The signed HTTPS address: at most 2,048 visible ASCII characters. */
  readonly url: string;
  /** The method of the upload. @defaultValue 'PUT' */
  readonly method?: 'PUT' | 'POST';
  /** Headers that the upload must have. @defaultValue none */
  readonly headers?: Readonly<Record<string, string>>;
  /** When the address expires. */
  readonly expiresAt: EpochMs;
}

/**
 * Makes the signed address for a file that a partner is about to upload. Throw `CommandRejection` to refuse the file.
 * @public
 */
export type EvidenceUploads = (asked: {
  /** The account of the path. */
  readonly account: AccountRef;
  /** The file, as the partner describes it. */
  readonly file: Omit<Evidence, 'id'> & Required<Pick<Evidence, 'contentType' | 'size'>>;
  /** Aborts when the call is given up. */
  readonly signal: AbortSignal;
}) => Promise<EvidenceUpload>;

const { kind, name, contentType, size, sha256 } = fileFields;
/** The body that asks for an upload. */
export const uploadInput = z
  .strictObject({
    kind,
    name: name.optional(),
    contentType,
    size,
    sha256: sha256.optional(),
  })
  .register(documentation, {
    example: { kind: 'photo', name: 'window.jpg', contentType: 'image/jpeg', size: 1_000 },
  });

/** The partner's view of an upload. */
export const uploadView = z
  .object({
    id: z.string(),
    url: values.paymentUrl.view,
    method: z.enum(['PUT', 'POST']),
    headers: z.record(z.string(), z.string()),
    expiresAt: secondsView(),
  })
  .register(documentation, {
    name: 'EvidenceUpload',
    description: 'Where to upload one file.',
    example: {
      ...{ id: '01J8Z0.jpg', url: 'https://files.example.com/01J8Z0.jpg?signature=3f8a', method: 'PUT' },
      ...{ headers: { 'content-type': 'image/jpeg' }, expiresAt: 1_798_761_600 },
    },
  });

const uploadSchema = z.object({
  id: fileId,
  url: values.paymentUrl.input,
  method: z.enum(['PUT', 'POST']).default('PUT'),
  headers: z.record(z.string(), z.string()).default({}),
  expiresAt: z.int().positive(),
});

/** Returns what the host's function answered. @throws TypeError when it is malformed. */
export const checkedUpload = (upload: unknown) => {
  const read = uploadSchema.safeParse(upload);
  if (read.success) return read.data;
  throw new TypeError(
    'evidenceUpload: it resolved to no { id, url, expiresAt }, with an id of evidence and an HTTPS address.',
  );
};
