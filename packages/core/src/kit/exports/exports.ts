import type { ResultAsync } from '#result';
import type { Client } from '../../access/clients/client.ts';
import type { ClientStore } from '../../access/clients/client-store.ts';
import type { AccountDirectory } from '../../base/accounts/account.ts';
import { lookUpAccount } from '../../base/accounts/find-account.ts';
import type { AlertStore } from '../../base/alerts/alert-store.ts';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import { allOf } from '../../base/pagination/all-pages.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { exportRequests } from '../../requests/exports/export-requests.ts';
import type { RequestLine } from '../../requests/exports/request-line.ts';
import type { RequestStores } from '../../requests/stores/stores.ts';
import type { Catalogue } from '../../webhooks/catalogue/catalogue.ts';
import type { Endpoint } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointStore } from '../../webhooks/endpoints/endpoint-store.ts';
import type { EndpointSealer } from '../../webhooks/endpoints/webhook-secret.ts';
import { bodyIn, isUnwritable } from '../../webhooks/envelope/other-texts.ts';
import type { WebhookEnvelope } from '../../webhooks/envelope/webhook-envelope.ts';
import type { DispatchedEvent, NewEvent } from '../../webhooks/events/event.ts';
import type { EventStore } from '../../webhooks/events/event-store.ts';
import type { Deliveries } from '../../webhooks/log/deliveries.ts';
import type { Attempt, Delivery } from '../../webhooks/log/delivery-log.ts';
import type { WireProfiles } from '../../webhooks/signature/wire-profile.ts';
import { type AccessLine, accessLines } from './access-lines.ts';

/**
 * One line of an export.
 * @public
 */
export type ExportLine =
  /** The object names with their event types. The first line. */
  | { readonly kind: 'catalogue'; readonly objects: Readonly<Record<string, readonly string[]>> }
  /** A client with the digests of its secrets. */
  | { readonly kind: 'client'; readonly client: Client }
  /** An endpoint, with its values sealed or in clear. */
  | {
      readonly kind: 'endpoint';
      readonly endpoint: Omit<Endpoint, 'secret' | 'nextSecret' | 'deliveryHeader'> & {
        /** The secret that signs. Absent: the endpoint is pulled. */
        readonly secret?: string;
        /** The secret that signs from `activateNextAt` on. */
        readonly nextSecret?: string;
        /** Static header of every delivery. */
        readonly deliveryHeader?: {
          /** Name of the header. */
          readonly name: string;
          /** Value of the header. */
          readonly value: string;
        };
      };
    }
  /** The address for alerts of an account. */
  | { readonly kind: 'alert_address'; readonly accountId: string; readonly address: string }
  /** An event with its body, within the retention. */
  | {
      readonly kind: 'event';
      readonly event: NewEvent | DispatchedEvent;
      /** The body that endpoints without a profile receive, if it is not `event.body`. */
      readonly body?: string;
      /** The bodies that endpoints with a profile receive, by its name. Absent: those of the others. */
      readonly bodies?: Readonly<Record<string, string>>;
    }
  /** A delivery with its attempts, within the retention. */
  | {
      readonly kind: 'delivery';
      readonly accountId: string;
      readonly delivery: Delivery;
      readonly attempts: readonly Attempt[];
    }
  | RequestLine
  /** An API key or an endpoint in an access review: the only lines with `content: 'access'`, and with no other. */
  | AccessLine;

/**
 * Options of `kit.export`.
 * @public
 */
export interface ExportOptions {
  /** The accounts to export: partnerkit does not know which there are. */
  readonly accounts: Iterable<string> | AsyncIterable<string>;
  /**
   * Webhook secrets and values of delivery headers: `sealed`, or opened with the keys of `sealingKeys` (`clear`).
   * @defaultValue 'sealed'
   */
  readonly secrets?: 'sealed' | 'clear';
  /**
   * What to export.
   *
   * - `all`: everything.
   * - `access`: an access review. A line for each API key and each endpoint, with age, last use, rights and maker,
   *   without secrets and digests.
   * @defaultValue 'all'
   */
  readonly content?: 'all' | 'access';
}

export interface ExportDeps {
  readonly catalogue: Catalogue;
  readonly clients: Pick<ClientStore, 'listClients' | 'readUsage'>;
  readonly endpoints: Pick<EndpointStore, 'listEndpoints'>;
  readonly alerts: Pick<AlertStore, 'findAddress'>;
  readonly events: Pick<EventStore<object>, 'listEvents' | 'findEvent'>;
  readonly deliveries: Pick<Deliveries, 'list' | 'attempts' | 'statistics'>;
  readonly sealer: EndpointSealer;
  readonly profiles: Pick<WireProfiles, 'of' | 'names'>;
  readonly accounts: AccountDirectory;
  readonly requests: RequestStores<object>;
  readonly audit: Pick<AuditStore, 'listEntries'>;
  readonly auditor: Pick<Auditor, 'isGenuine'>;
  readonly clock: Clock;
}

const orReject = async <T>(result: ResultAsync<T, { readonly code: string; readonly message: string }>): Promise<T> =>
  result.match(
    (value) => value,
    (failed) => {
      throw new Error(`${failed.code}: ${failed.message}`, { cause: failed });
    },
  );

/** The body of an event in an envelope. `undefined`: that of the specification, or it cannot be written. */
const otherBody = (event: NewEvent | DispatchedEvent, envelope: WebhookEnvelope | undefined): string | undefined => {
  if (!envelope?.write || !('timestamp' in event)) return undefined;
  try {
    return bodyIn(envelope, event, event.timestamp);
  } catch (cause) {
    // No endpoint has received it.
    if (isUnwritable(cause)) return undefined;
    throw cause;
  }
};

/** The line of an event, with its bodies as its profiles send them. */
const eventLine = (event: NewEvent | DispatchedEvent, { of, names }: ExportDeps['profiles']): ExportLine => {
  const standard = of(undefined)?.envelope;
  const body = otherBody(event, standard);
  const named = names.flatMap((name) => {
    const envelope = of(name)?.envelope;
    if (envelope?.name === standard?.name) return [];
    const text = envelope?.write ? otherBody(event, envelope) : 'body' in event ? event.body : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
  const bodies = named.length > 0 ? Object.fromEntries(named) : undefined;
  return { kind: 'event', event, ...present({ body, bodies }) };
};

/** Exports everything of accounts, in order, a page in memory at a time. */
export const createExport = (deps: ExportDeps) => {
  const { catalogue, clients, endpoints, events, deliveries, sealer } = deps;
  const opened = (endpoint: Endpoint): Extract<ExportLine, { kind: 'endpoint' }>['endpoint'] => {
    const { secret, nextSecret, deliveryHeader, ...rest } = endpoint;
    return {
      ...rest,
      ...(secret === undefined ? {} : { secret: sealer.openSecret(endpoint, secret) }),
      ...(nextSecret === undefined ? {} : { nextSecret: sealer.openSecret(endpoint, nextSecret) }),
      ...(deliveryHeader
        ? { deliveryHeader: { name: deliveryHeader.name, value: sealer.openDeliveryHeader(endpoint, deliveryHeader) } }
        : {}),
    };
  };

  return async function* exportLines(options: ExportOptions): AsyncGenerator<ExportLine> {
    assertOptionNames('export', options, { accounts: true, secrets: true, content: true });
    const { accounts, secrets = 'sealed', content = 'all' } = options;
    if (secrets !== 'sealed' && secrets !== 'clear') throw new TypeError("export: secrets is 'sealed' or 'clear'.");
    if (content !== 'all' && content !== 'access') throw new TypeError("export: content is 'all' or 'access'.");
    if (content === 'access') {
      for await (const accountId of accounts) yield* accessLines(deps, accountId, orReject);
      return;
    }
    const objects = catalogue.objectNames.map((name) => [name, catalogue.typesOf(name)] as const);
    yield { kind: 'catalogue', objects: Object.fromEntries(objects) };
    for await (const accountId of accounts) {
      for await (const client of allOf((page) => clients.listClients(accountId, page)))
        yield { kind: 'client', client };
      for await (const endpoint of allOf((page) => endpoints.listEndpoints(accountId, page)))
        yield { kind: 'endpoint', endpoint: secrets === 'clear' ? opened(endpoint) : endpoint };
      const address = await deps.alerts.findAddress(accountId);
      if (address !== undefined) yield { kind: 'alert_address', accountId, address };
      for await (const { id } of allOf((page) => events.listEvents(accountId, page))) {
        const event = await events.findEvent(accountId, id);
        if (event) yield eventLine(event, deps.profiles);
      }
      for await (const delivery of allOf((page) => orReject(deliveries.list(accountId, { page })))) {
        const attempts = await orReject(deliveries.attempts(accountId, delivery.id));
        yield { kind: 'delivery', accountId, delivery, attempts };
      }
      const account = await lookUpAccount(deps.accounts, accountId);
      if (account) yield* exportRequests(deps.requests, account);
    }
  };
};
