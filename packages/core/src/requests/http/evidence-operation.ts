import { err, ok, type Result } from '#result';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import type { HttpFailure } from '../../api/operations/failure.ts';
import type { Answer, KeyOperation } from '../../api/operations/operation.ts';
import { present } from '../../base/fields/present.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import type { HostCalls } from '../commands/host-calls.ts';
import { checkedUpload, type EvidenceUploads, uploadInput, uploadView } from '../options/evidence-upload.ts';
import { isCommandRejection } from '../record/command-rejection.ts';
import { refusalOf } from './refused.ts';

/** `POST …/evidence`: the signed address for one file. Nothing is stored. */
export const evidenceOperation = (
  upload: EvidenceUploads,
  host: HostCalls,
): KeyOperation<AccountCaller, undefined, typeof uploadInput> => ({
  method: 'POST',
  right: 'cash_outs:write',
  path: '/organisations/:organisationId/evidence',
  maxBodyBytes: 4 * 1_024,
  operationId: 'createEvidenceUpload',
  summary: 'Makes the address to upload a file of evidence to',
  description: 'Upload the file there, and name its `id` in `evidence` of a cash-out.',
  tag: 'Cash-outs',
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
