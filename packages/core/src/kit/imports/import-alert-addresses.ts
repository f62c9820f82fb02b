import { z } from 'zod';
import { okAsync } from '#result';
import type { CheckKnownAccount } from '../../base/accounts/known-account.ts';
import type { AlertStore } from '../../base/alerts/alert-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { email } from '../../base/fields/email.ts';
import { callPort } from '../../base/runtime/call-port.ts';
import { once } from '../../base/runtime/once.ts';
import { readInput } from '../../base/runtime/read-input.ts';
import { hostActor } from '../../base/signals/change-options.ts';
import { type ImportRow, importRows } from './import-report.ts';
import { rehearseAddresses } from './rehearse.ts';
import { accountId } from './row-fields.ts';

/**
 * The address for alerts of an account in another system.
 * @public
 */
export interface AlertAddressRow {
  /** The account that alerts of this address are about. */
  readonly accountId: string;
  /** Its e-mail address: ASCII, at most 254 characters. */
  readonly address: string;
}

const row = once(() =>
  z.strictObject({ kind: z.literal('alert_address').optional(), accountId: accountId(), address: email() }),
);

export interface ImportAlertAddressesDeps {
  readonly store: Pick<AlertStore, 'findAddress' | 'insertAddress'>;
  readonly checkKnownAccount: CheckKnownAccount;
  /** Makes entries of the audit trail. */
  readonly auditor: Pick<Auditor, 'entry'>;
}

export const createImportAlertAddresses = (deps: ImportAlertAddressesDeps) => {
  const { checkKnownAccount, auditor } = deps;
  const compare = (id: string, stored: string | undefined, address: string): ReturnType<ImportRow> =>
    okAsync({ id, outcome: stored === address ? 'unchanged' : 'differs' });

  const insert = (
    { accountId: id, address }: AlertAddressRow,
    store: ImportAlertAddressesDeps['store'],
  ): ReturnType<ImportRow> => {
    const subject = { accountId: id, type: 'account.changed', subjectId: id } as const;
    const entry = auditor.entry({ ...subject, by: hostActor, data: { change: 'alert_address_imported' } });
    return callPort(() => store.insertAddress(id, address, entry)).andThen((isInserted) =>
      isInserted
        ? okAsync({ id, outcome: 'created' as const })
        : // Another process has stored one meanwhile.
          callPort(() => store.findAddress(id)).andThen((stored) => compare(id, stored, address)),
    );
  };

  const importInto =
    (store: ImportAlertAddressesDeps['store']): ImportRow =>
    (input) =>
      readInput(row(), input).asyncAndThen((wanted) =>
        callPort(() => store.findAddress(wanted.accountId)).andThen((stored): ReturnType<ImportRow> => {
          if (stored !== undefined) return compare(wanted.accountId, stored, wanted.address);
          return checkKnownAccount(wanted.accountId).andThen(() => insert(wanted, store));
        }),
      );
  return importRows('import.alertAddresses', (isDryRun) =>
    importInto(isDryRun ? rehearseAddresses(deps.store) : deps.store),
  );
};
