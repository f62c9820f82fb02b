import { type ClientClock, createPartnerClient, type PulledEvent, unwrap } from '@partnerkit/client';
import { connectionError } from './cli-error.ts';
import type { Output } from './output.ts';
import { codeOf, platformError, resumeAfterOf } from './platform-error.ts';

/** Where the API of a platform is, and the key of a partner. */
export interface PlatformAddress {
  /** With its base path, such as `https://api.platform.example/api/v1/partner`. */
  readonly api: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The account. */
  readonly organisationId: string;
}

/** What a new pull endpoint receives. */
export interface NewPullEndpoint {
  /** By type, or by object and type. `undefined`: every event. */
  readonly events: readonly string[] | undefined;
  readonly includeChildren: boolean;
  /** The name of its wire profile at the platform. */
  readonly profile: string | undefined;
}

/** What to follow, and from where. */
export interface FollowedFeed {
  readonly endpointId: string;
  /** A cursor. `undefined`: the oldest event. */
  readonly after: string | undefined;
  readonly handle: (event: Omit<PulledEvent, 'next'>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The API of a platform, as far as it is used here. */
export interface PartnerPlatform {
  /** Creates a pull endpoint; resolves to its id. */
  createEndpoint(endpoint: NewPullEndpoint, signal: AbortSignal): Promise<string>;
  deleteEndpoint(endpointId: string): Promise<void>;
  /** The cursor after the newest event. */
  findEnd(endpointId: string, signal: AbortSignal): Promise<string | undefined>;
  /** Handles events as they come, until `signal` aborts. */
  follow(feed: FollowedFeed): Promise<void>;
}

interface Json<Body> {
  readonly content: { readonly 'application/json': Body };
}
interface OfAccount {
  readonly path: { readonly organisationId: string };
}
interface OfEndpoint {
  readonly path: { readonly organisationId: string; readonly endpointId: string };
}

const webhooks = '/organisations/{organisationId}/webhooks';
const webhook = `${webhooks}/{endpointId}` as const;
const webhookEvents = `${webhook}/events` as const;
const catalogue = '/organisations/{organisationId}/webhook-catalogue';

/** The operations that are used, below the base path. */
interface Paths {
  readonly [webhooks]: {
    readonly post: {
      readonly parameters: OfAccount;
      readonly requestBody: Json<object>;
      readonly responses: { readonly 201: Json<{ readonly endpoint: { readonly id: string } }> };
    };
  };
  readonly [webhook]: {
    readonly delete: {
      readonly parameters: OfEndpoint;
      readonly responses: { readonly 204: { readonly content?: never } };
    };
  };
  readonly [webhookEvents]: {
    readonly get: {
      readonly parameters: OfEndpoint & { readonly query?: { readonly limit?: number; readonly after?: string } };
      readonly responses: { readonly 200: Json<{ readonly next: string; readonly hasMore: boolean }> };
    };
  };
  readonly [catalogue]: {
    readonly get: {
      readonly parameters: OfAccount;
      readonly responses: {
        readonly 200: Json<{
          readonly objects: { readonly objectName: string; readonly events: { readonly type: string }[] }[];
        }>;
      };
    };
  };
}

/** By this label, people know the endpoint of a process that could not delete it. */
const label = 'partnerkit listen';
/** Time to delete an endpoint while the user waits for the end. */
const deleteTimeout = 5_000;

/** Connects to a platform: logs in at the first request. */
export const connectPlatform = (
  { api, clientId, clientSecret, organisationId }: PlatformAddress,
  { output, clock }: { readonly output: Output; readonly clock?: ClientClock | undefined },
): PartnerPlatform => {
  let isLost = false;
  const client = createPartnerClient<Paths>({
    ...{ baseUrl: api, tokenUrl: `${api}/login`, clientId, clientSecret, idempotent: [webhooks] },
    ...(clock ? { clock } : {}),
    fetch: async (url, request) => {
      const response = await fetch(url, request);
      if (isLost && response.ok) {
        isLost = false;
        output.progress('The platform answers again.');
      }
      return response;
    },
  });
  const path = { organisationId };
  const ask = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (cause) {
      throw platformError(cause, api) ?? connectionError(api, Object(cause).cause ?? cause);
    }
  };

  const everyEvent = async (signal: AbortSignal): Promise<readonly string[]> => {
    const { objects } = await ask(unwrap(client.GET(catalogue, { params: { path }, signal })));
    return objects.flatMap(({ objectName, events }) => events.map(({ type }) => `${objectName}.${type}`));
  };

  /** Says once that the platform does not answer, until it does. */
  const onError = (cause: unknown): void => {
    if (isLost) return;
    isLost = true;
    const { message } = platformError(cause, api) ?? connectionError(api, Object(cause).cause ?? cause);
    output.progress(`${message} Asking again until it answers.`);
  };

  return {
    createEndpoint: async ({ events, includeChildren, profile }, signal) => {
      // It shows first that the key may do this, and can be interrupted.
      const all = await everyEvent(signal);
      const body = { kind: 'pull', label, events: events ?? all, includeChildren, ...(profile && { profile }) };
      const { endpoint } = await ask(unwrap(client.POST(webhooks, { params: { path }, body })));
      return endpoint.id;
    },
    deleteEndpoint: async (endpointId) => {
      const signal = AbortSignal.timeout(deleteTimeout);
      await ask(unwrap(client.DELETE(webhook, { params: { path: { ...path, endpointId } }, signal })));
    },
    findEnd: async (endpointId, signal) => {
      const params = { path: { ...path, endpointId } };
      for (let after: string | undefined; ; ) {
        const query = { limit: 100, ...(after === undefined ? {} : { after }) };
        const page = await ask(unwrap(client.GET(webhookEvents, { params: { ...params, query }, signal })));
        after = page.next;
        if (!page.hasMore) return after;
      }
    },
    follow: async ({ endpointId, after, handle, signal }) => {
      let cursor = after;
      const store = {
        read: async () => cursor,
        advance: async (_from: string | undefined, to: string, work: (tx: undefined) => Promise<void>) => {
          await work(undefined);
          cursor = to;
          return true;
        },
      };
      const of = { organisationId, endpointId, path: webhookEvents };
      while (!signal.aborted) {
        try {
          await client.follow({ ...of, store, handle, onError, signal });
        } catch (cause) {
          const resumeAfter = resumeAfterOf(cause);
          if (resumeAfter === undefined) throw platformError(cause, api) ?? cause;
          output.progress(
            codeOf(cause) === 'cursor_ahead'
              ? 'The platform lost events that it had sent. Some may come again.'
              : 'The platform deleted events before they were read.',
          );
          cursor = resumeAfter;
        }
      }
    },
  };
};
