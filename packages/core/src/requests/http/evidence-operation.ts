import { err, ok, type Result } from 'neverthrow';
import type { AccountCaller } from '../../management/shared-operations.ts';
import type { HttpFailure } from '../../operations/failure.ts';
import type { Answer, Operation } from '../../operations/operation.ts';
import { callPort } from '../../runtime/call-port.ts';
import { toSeconds } from '../../runtime/time.ts';
import { isCommandRejection } from '../command-rejection.ts';
import { checkedUpload, type EvidenceUploads, uploadInput, uploadView } from '../evidence-upload.ts';
import { present } from '../fields.ts';
import type { HostCalls } from '../host-calls.ts';
import { refusalOf } from './refused.ts';

/** `POST …/evidence`: the signed address for one file. Nothing is stored. @internal */
export const evidenceOperation = (
  upload: EvidenceUploads,
  host: HostCalls,
): Operation<AccountCaller, undefined, typeof uploadInput> => ({
  method: 'POST',
  path: '/organisations/:organisationId/evidence',
  maxBodyBytes: 4 * 1_024,
  operationId: 'createEvidenceUpload',
  summary: 'Ask for the address to upload a file of evidence to',
  description: 'Upload the file there, and name its `id` in `evidence` of a cash-out.',
  tag: 'Cash outs',
  body: uploadInput,
  answers: { 200: { description: 'Where to upload the file.', schema: uploadView } },
  refusesMore: true,
  handle: ({ caller: { account }, body }) =>
    callPort(async (): Promise<Result<Answer, HttpFailure>> => {
      try {
        const file = present(body);
        const made = checkedUpload(
          await host.call('evidenceUpload', undefined, (signal) => upload({ account, file, signal })),
        );
        return ok({ body: { ...made, expiresAt: toSeconds(made.expiresAt) } });
      } catch (rejection) {
        if (!isCommandRejection(rejection)) throw rejection;
        const { code, detail: message } = rejection;
        return err(refusalOf({ code: 'rejected', message: `${code}: ${message}`, rejection }));
      }
    }).andThen((answered) => answered),
});
