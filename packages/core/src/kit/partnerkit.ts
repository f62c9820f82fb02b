import type { z } from 'zod';
import type { ResultAsync } from '#result';
import type { Clients } from '../access/clients/clients.ts';
import type { ManagementOptions } from '../api/management/session.ts';
import type { OpenApiDocument, OpenApiOptions } from '../api/operations/document-options.ts';
import type { JsonSchema } from '../api/operations/json-schema.ts';
import type { Read } from '../api/operations/operation.ts';
import type { AccountHandler, AccountRouteOptions } from '../api/partner/account-route.ts';
import type { Authenticate } from '../api/partner/caller.ts';
import type { Alerts } from '../base/alerts/alerts.ts';
import type { AuditTrail } from '../base/audit/audit-trail.ts';
import type { Route } from '../base/http/route.ts';
import type { Unavailable } from '../base/runtime/call-port.ts';
import type { Catalogue, PairsOf } from '../webhooks/catalogue/catalogue.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import type { Endpoints } from '../webhooks/endpoints/endpoints.ts';
import type { Events } from '../webhooks/events/publish.ts';
import type { PulledEvents } from '../webhooks/feeds/pull-events.ts';
import type { HandlersOption } from '../webhooks/handlers/handler.ts';
import type { HandlerAdmin } from '../webhooks/handlers/handler-admin.ts';
import type { Deliveries } from '../webhooks/log/deliveries.ts';
import type { Sending } from '../webhooks/sending/sending.ts';
import type { WorkerOptions } from '../webhooks/worker/context/worker-options.ts';
import type { Worker } from '../webhooks/worker/worker.ts';
import type { CheckFailure, CheckReport } from './check.ts';
import type { ExportLine, ExportOptions } from './exports/exports.ts';
import type { HealthOptions, HealthReport } from './health-report.ts';
import type { Imports } from './imports/imports.ts';
/**
 * The partner interface of a platform.
 * @public
 */
export interface Partnerkit<Tx extends object, D extends ObjectDefinition> {
  /** The objects and event types of the platform. */
  readonly catalogue: Catalogue<PairsOf<D>>;
  /** The HTTP routes, with absolute paths; mount them with an adapter. */
  readonly routes: readonly Route[];
  /** Manages clients and their secrets. */
  readonly clients: Clients;
  /** Manages webhook endpoints. */
  readonly endpoints: Endpoints<PairsOf<D>>;
  /** Imports clients, endpoints and addresses for alerts of another system. */
  readonly import: Imports<PairsOf<D>>;
  /**
   * Exports clients with their digests, endpoints, events, deliveries and requests of accounts, to keep or to leave
   * partnerkit. Reads a page at a time; rejects when a port fails. Requests are those of the environment that the
   * directory says; of an account that it does not know, there are none.
   * @example
   * for await (const line of kit.export({ accounts: ['acc_1'] })) process.stdout.write(`${JSON.stringify(line)}\n`);
   */
  export(options: ExportOptions): AsyncIterable<ExportLine>;
  /** Publishes and reads events. */
  readonly events: Events<Tx, D> & PulledEvents;
  /** Reads and repairs the deliveries of the host's own handlers. */
  readonly handlers: HandlerAdmin;
  /** Reads and verifies the audit trail. */
  readonly audit: AuditTrail;
  /** Keeps the addresses to which accounts want alerts. */
  readonly alerts: Alerts;
  /** Pauses sending to endpoints, such as during an incident. */
  readonly sending: Sending;
  /** Reads, explains and sends deliveries again. */
  readonly deliveries: Deliveries<PairsOf<D>>;
  /**
   * Makes a route of the host, below `basePath` and its aliases. Partnerkit authenticates the caller, checks its reach
   * (specification §1.2, §1.3) and answers failures. The body is read after the token is accepted; `maxBodyBytes`
   * limits it.
   * @example
   * const path = '/organisations/:organisationId/payments';
   * const read = async ({ account }: Caller) => ({
   *   status: 200,
   *   headers: { 'content-type': 'application/json' },
   *   body: JSON.stringify(await payments.of(account.id)),
   * });
   * const list = kit.accountRoute('GET', path, read, { right: 'payments:read' });
   * @throws TypeError when the method is not in capitals, the path cannot be matched, or an option is wrong.
   */
  accountRoute<
    Path extends `/organisations/:organisationId${string}`,
    Q extends z.ZodObject | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
  >(
    method: string,
    path: Path,
    handle: AccountHandler<Path, Read<Q>, Read<B>>,
    options: AccountRouteOptions<Q, B>,
  ): Route;
  /**
   * Authenticates a request to a handler of the host's own framework, as an account route does: by access token, and by
   * the account in its path (specification §1.2, §1.3). Prefer `accountRoute`, which all adapters mount.
   * @example
   * const readNotes = async (request: RequestHead, organisationId: string) => {
   *   const caller = await kit.authenticate(request, organisationId, 'payments:read');
   *   return caller.isOk() ? payments.of(caller.value.account.id) : caller.error.response;
   * };
   */
  readonly authenticate: Authenticate;
  /**
   * Makes the routes of the management API, for the host's web interface: API keys, webhook endpoints, events and
   * deliveries of the account of a session. Secrets appear once; changes are refused across sites; every change is
   * signalled with its actor.
   * @example
   * const routes = kit.managementRoutes({
   *   authorize: async ({ headers }) => {
   *     const user = await findUser(headers['cookie']);
   *     return user && { accountId: user.organisationId, userId: user.id, can: { keys: 'write', webhooks: 'write' } };
   *   },
   * });
   * await app.register(fastifyRoutes, { routes: [...kit.routes, ...routes] });
   * @throws TypeError that names each wrong option.
   */
  managementRoutes(options: ManagementOptions): readonly Route[];
  /**
   * Writes the OpenAPI 3.1 document of the routes and of the webhooks, from the schemas that run.
   * @example
   * const document = kit.openApi({
   *   title: 'Partner API',
   *   servers: [{ url: 'https://api.platform.example' }],
   *   routes: [...kit.routes, ...requests.routes],
   * });
   * const text = JSON.stringify(document, null, 2);
   * @throws TypeError that names each wrong option; also when two operations have the same id, two schemas the same
   * name, or the kit lacks the profile.
   */
  openApi(options: OpenApiOptions): OpenApiDocument;
  /**
   * Makes a route that serves the OpenAPI document at `openapi.json` below `basePath`, to anyone.
   * @example
   * const document = kit.openApiRoute({ title: 'Partner API', routes: [...kit.routes, ...requests.routes] });
   * await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes, document] });
   * @throws TypeError as `openApi` does.
   */
  openApiRoute(options: OpenApiOptions): Route;
  /**
   * Writes the JSON Schema (2020-12) of each webhook body, by pair such as `RequestPayment.payed`, for receivers.
   * `profile` names the wire profile of the bodies; without it they are those of endpoints without a profile.
   * @throws TypeError when the kit lacks the profile.
   */
  payloadSchemas(options?: { readonly profile?: string }): Readonly<Record<string, JsonSchema>>;
  /**
   * Wakes the workers of this process. Call it after your commit for the lowest latency; correctness never needs it.
   */
  nudge(): void;
  /**
   * Calls each port and reports problems: a database that is not migrated or belongs to another environment, clocks
   * that differ, tokens that do not verify, a port that does not respond within 5 seconds. Its only effect: it stores
   * the id of `secret`, by which other processes notice that theirs is another. The sender is not called: it could only
   * send. Call it when a process starts.
   * @example
   * const ready = await kit.check();
   * if (ready.isErr()) throw new Error(ready.error.message);
   */
  check(): ResultAsync<CheckReport, CheckFailure>;
  /**
   * Reads what an operator asks first: what waits, the workers, the worst endpoints, the handlers, the largest tables
   * and what `check()` finds, with a status and its reasons. It writes nothing to the storage.
   * @example
   * const health = await kit.health();
   * if (health.isOk() && health.value.status === 'failing') page(health.value.reasons.join('\n'));
   * @throws TypeError when an option is unknown.
   */
  health(options?: HealthOptions): ResultAsync<HealthReport, Unavailable>;
  /**
   * Makes a worker, which dispatches events, sends deliveries and calls its handlers once it is started.
   * @example
   * const worker = kit.worker({
   *   handlers: {
   *     ledger: {
   *       events: ['Booking.confirmed'],
   *       transaction: true,
   *       handle: async ({ data }, { tx }) => bookings.confirm(tx, data.id),
   *     },
   *   },
   * });
   * @throws TypeError that names the wrong option.
   */
  worker(options?: WorkerOptions & HandlersOption<Tx, PairsOf<D>>): Worker;
}
