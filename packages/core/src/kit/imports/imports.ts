import type { ResultAsync } from '#result';
import type { ImportOptions, ImportReport } from '../../base/imports/import-report.ts';
import type { Unavailable } from '../../base/runtime/call-port.ts';
import type { InvalidInput } from '../../base/runtime/failure.ts';
import type { EventPairs } from '../../webhooks/catalogue/pairs.ts';
import type { ExportLine } from '../exports/exports.ts';
import type { AlertAddressRow } from './import-alert-addresses.ts';
import type { ClientRow } from './import-clients.ts';
import type { EndpointRow } from './import-endpoints.ts';

/**
 * Imports what another system has. A call takes at most 1000 rows. Each row is stored whole or not at all, and a row
 * that is stored already is not changed: a call may be repeated, also after a crash.
 * @public
 */
export interface Imports<P extends EventPairs = EventPairs> {
  /**
   * Imports clients with their ids and secrets; needs `imported.clients`. A line of `kit.export` is a row, too.
   * @example
   * const report = await kit.import.clients(
   *   [{ accountId, id: 'booking-system', name: 'Booking system', secrets: [{ legacy: true }] }],
   *   { dryRun: true },
   * );
   * if (report.isOk()) console.table(report.value.rows.filter(({ outcome }) => outcome === 'refused'));
   */
  clients(
    rows: readonly (ClientRow | Extract<ExportLine, { kind: 'client' }>)[],
    options?: ImportOptions,
  ): ResultAsync<ImportReport, InvalidInput | Unavailable>;
  /**
   * Imports webhook endpoints with their secrets. A line of `kit.export` is a row, too: in clear, or sealed with a key
   * of `sealingKeys`.
   */
  endpoints(
    rows: readonly (EndpointRow<P> | Extract<ExportLine, { kind: 'endpoint' }>)[],
    options?: ImportOptions,
  ): ResultAsync<ImportReport, InvalidInput | Unavailable>;
  /**
   * Imports addresses for alerts: {@link Alerts}. A line of `kit.export` is a row, too. The id in the report is that of
   * the account.
   */
  alertAddresses(
    rows: readonly (AlertAddressRow | Extract<ExportLine, { kind: 'alert_address' }>)[],
    options?: ImportOptions,
  ): ResultAsync<ImportReport, InvalidInput | Unavailable>;
}
