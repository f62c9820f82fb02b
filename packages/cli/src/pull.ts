import type { DeliverLocally } from './local-delivery.ts';
import type { Output } from './output.ts';
import type { FollowedFeed, NewPullEndpoint, PartnerPlatform } from './partner-platform.ts';

export interface PullOptions {
  readonly platform: PartnerPlatform;
  /** The pull endpoint to read, or one to create for this run. */
  readonly endpoint: string | NewPullEndpoint;
  /** Events that happened before are left out, in milliseconds since 1970. Absent: those before the start. */
  readonly from: number | undefined;
  readonly deliver: DeliverLocally;
  /** Called once events are waited for. */
  readonly onStart: (endpointId: string) => void;
  readonly signal: AbortSignal;
}

/** Deletes the endpoint of this run, and says if it stays. */
const deleteOwn = async (platform: PartnerPlatform, endpointId: string, output: Output): Promise<void> => {
  try {
    await platform.deleteEndpoint(endpointId);
    output.progress(`Deleted the endpoint ${endpointId}.`);
  } catch (cause) {
    output.progress(`The endpoint ${endpointId} stays. Delete it. ${(cause as Error).message}`);
  }
};

/** Delivers the events of a pull endpoint to a receiver of this machine, until `signal` aborts. */
export const pull = async (options: PullOptions, output: Output): Promise<void> => {
  const { platform, endpoint, from, deliver, onStart, signal } = options;
  const isOwn = typeof endpoint !== 'string';
  const endpointId = isOwn ? await platform.createEndpoint(endpoint, signal) : endpoint;
  try {
    // A new endpoint has no earlier events.
    const after = isOwn || from !== undefined ? undefined : await platform.findEnd(endpointId, signal);
    onStart(endpointId);
    const handle: FollowedFeed['handle'] = async ({ id, timestamp, headers, body }) => {
      signal.throwIfAborted();
      if (from !== undefined && timestamp * 1_000 < from) return;
      await deliver({ messageId: id, headers, body: Buffer.from(body) });
    };
    await platform.follow({ endpointId, after, handle, signal });
  } finally {
    if (isOwn) await deleteOwn(platform, endpointId, output);
  }
};
