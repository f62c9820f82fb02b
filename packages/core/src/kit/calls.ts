import { createClients } from '../access/clients/create-clients.ts';
import type { ManagedCalls } from '../api/management/operation.ts';
import { findAccount } from '../base/accounts/find-account.ts';
import type { FindParent } from '../base/accounts/find-parent.ts';
import { createKnownAccountCheck } from '../base/accounts/known-account.ts';
import { readBy } from '../base/signals/change-options.ts';
import type { Catalogue } from '../webhooks/catalogue/catalogue.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import type { EventPairs } from '../webhooks/catalogue/pairs.ts';
import { createEndpoints } from '../webhooks/endpoints/create-endpoints.ts';
import { createEndpointReader } from '../webhooks/endpoints/endpoint-input.ts';
import type { Events } from '../webhooks/events/publish.ts';
import { createEventReader } from '../webhooks/events/read-events.ts';
import { createPullEvents } from '../webhooks/feeds/pull-events.ts';
import { createDeliveries } from '../webhooks/log/deliveries.ts';
import { createEndpointOnce } from './create-endpoint-once.ts';
import type { Foundation, Settings } from './foundation.ts';
import { createImportAlertAddresses } from './imports/import-alert-addresses.ts';
import { createImportClients } from './imports/import-clients.ts';
import { createImportEndpoints } from './imports/import-endpoints.ts';
import type { Imports } from './imports/imports.ts';
import type { PartnerInterface } from './partner-interface.ts';

/** What the calls of a host need beside the foundation. */
export interface CallDeps {
  readonly catalogue: Catalogue;
  readonly partner: Pick<PartnerInterface, 'imported' | 'tokenLifetime' | 'verifyToken' | 'verifiesAssertions'>;
  readonly findParent: FindParent;
  readonly sendTest: Events<object, ObjectDefinition>['sendTest'];
  readonly nudge: () => void;
}

/** The calls by which a host manages clients, endpoints, events and deliveries, and imports them. */
export const createCalls = <Tx extends object>(
  foundation: Foundation<Tx>,
  { sender, oauth = {}, webhooks = {} }: Settings,
  { catalogue, partner, findParent, sendTest, nudge }: CallDeps,
) => {
  const { accounts, storage, clock, random, observe, reportError, sealer, cache, rights, profiles, auditor } =
    foundation;
  const counter = foundation.calls;
  const { trustsAddresses } = foundation;
  const { tokenLifetime, verifyToken, imported, verifiesAssertions } = partner;
  const checkKnownAccount = createKnownAccountCheck(accounts);
  const maxPerAccount = webhooks.maxEndpoints ?? 20;
  // A sender that cannot tell what it reaches is no reason to accept HTTP.
  const isDevelopment = sender.development === true && sender.canReach !== undefined;
  const urls = { ports: webhooks.ports, isDevelopment, canReach: (url: string) => sender.canReach?.(url) ?? true };
  const reader = createEndpointReader(catalogue, urls, profiles);
  const common = { checkKnownAccount, clock, observe, auditor };
  const ofClients = { ...common, store: storage.clients, cache, trustsAddresses };
  const ofEndpoints = { ...common, store: storage.endpoints, sealer, reader, profiles, maxPerAccount };

  const calls: Omit<ManagedCalls, 'createEndpoint' | 'audit' | 'alerts' | 'sending'> = {
    clients: createClients({
      ...{ ...ofClients, random, rights, verifiesAssertions, flush: counter.flush },
      ...{ secretPrefix: oauth.secretPrefix ?? 'pks', tokenLifetime, verifyToken },
    }),
    endpoints: createEndpoints({ ...ofEndpoints, random, nudge }),
    events: {
      ...createEventReader(storage.events),
      pull: createPullEvents({
        ...{ feeds: storage.feeds, endpoints: storage.endpoints, findParent, profiles, clock },
        reportError: (cause) => reportError(cause, {}),
      }),
      sendTest: (accountId, endpointId, event, options = {}) => {
        const { actor: by } = readBy('events.sendTest', options);
        return sendTest(accountId, endpointId, event).andTee(() =>
          observe({ kind: 'endpoint', change: 'test_sent', accountId, endpointId, by }),
        );
      },
    },
    deliveries: createDeliveries({
      ...{ log: storage.log, feeds: storage.feeds, findParent, clock, nudge, observe },
      findAccount: (accountId) => findAccount(accounts, accountId),
      readHealth: (accountId, endpointIds) => storage.endpoints.readHealth(accountId, endpointIds),
      findUnopenedKeyId: async (accountId, endpointId) => {
        const endpoint = await storage.endpoints.findEndpoint(accountId, endpointId);
        return endpoint && sealer.unopenedKeyId(endpoint);
      },
    }),
  };
  const logins = {
    acceptsImported: imported.acceptsImported,
    hasLegacySecrets: imported.legacySecrets !== undefined,
    verifiesAssertions,
  };
  const imports: Imports<EventPairs> = {
    clients: createImportClients({ ...ofClients, logins }),
    endpoints: createImportEndpoints(ofEndpoints),
    alertAddresses: createImportAlertAddresses({ store: storage.alerts, checkKnownAccount, auditor }),
  };
  const createEndpoint = createEndpointOnce({
    ...{ storage, observe, reader },
    over: (store, observing) => createEndpoints({ ...ofEndpoints, store, observe: observing, random, nudge }),
  });
  return { calls, createEndpoint, imports, endpointInput: reader, maxEndpoints: maxPerAccount };
};
