import type { Table } from '../port/table.ts';
import { alertAddresses } from './alerts.ts';
import { auditChains, auditEntries } from './audit.ts';
import { clients, clientUsage, revokedTokens } from './clients.ts';
import { attempts, failedHours, parentPropagation, pending } from './deliveries.ts';
import { endpointHistory, endpoints, health } from './endpoints.ts';
import { dispatches, events, idempotencyKeys, outbox } from './events.ts';
import { feedEntries, feeds } from './feeds.ts';
import { handlerDeliveries, handlers } from './handlers.ts';
import { inbox, seenKeys } from './receiver.ts';
import {
  idempotentResponses,
  requestDue,
  requestHistory,
  requestReferences,
  requests,
  requestTransactions,
} from './requests.ts';
import { secretIds } from './secrets.ts';
import { sendingPauses } from './sending.ts';
import { endpointChanges, endpointVersions, lastSettlements, shards, workers } from './shards.ts';

/** Every table, in the order in which a store creates them. @public */
export const rowTables: readonly Table[] = [
  ...[workers, lastSettlements, shards, endpointVersions, endpointChanges],
  ...[clients, clientUsage, revokedTokens, endpoints, endpointHistory, health],
  ...[events, outbox, dispatches, idempotencyKeys, attempts, pending, failedHours, parentPropagation],
  ...[feeds, feedEntries, handlers, handlerDeliveries, sendingPauses],
  ...[requests, requestHistory, requestTransactions, requestReferences, requestDue, idempotentResponses],
  ...[seenKeys, inbox, secretIds, auditEntries, auditChains, alertAddresses],
];
