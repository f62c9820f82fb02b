import { createHmac } from 'node:crypto';
import type { Endpoint } from '@partnerkit/core/adapter';
import { endpointAt } from '../network.ts';
import type { SentPost } from '../trace.ts';
import { currentSince } from './current-since.ts';
import { type EndpointVersion, versionsBetween } from './endpoint-versions.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';

/** The possible versions of its endpoint for a POST. */
const versionsOf = (facts: Facts, post: SentPost): readonly EndpointVersion[] => {
  const id = facts.ledger.deliveryOf(post)?.endpointId ?? '';
  return versionsBetween(facts.endpoints.get(id) ?? [], currentSince(facts, post), post.at);
};

const headerOf = ({ headers }: SentPost, name: string): string | undefined => headers[name];

/** The signing secret at that moment: the next one from its activation time on. */
const secretAt = ({ secret, nextSecret, activateNextAt }: Endpoint, wallAt: number): string | undefined =>
  nextSecret !== undefined && activateNextAt !== undefined && activateNextAt <= wallAt ? nextSecret : secret;

/** Whether a POST matches one version of its endpoint; `undefined` when its secrets are unknown. */
const isSentFor = ({ trace }: Facts, post: SentPost, endpoint: Endpoint): boolean | undefined => {
  const secret = trace.clear.get(secretAt(endpoint, post.wallAt) ?? '');
  if (secret === undefined) return undefined;
  if (post.url !== endpoint.url) return false;
  const signature = createHmac('sha1', secret).update(post.body).digest('hex');
  if (headerOf(post, 'x-webhook-signature') !== signature) return false;
  const key = endpoint.deliveryHeader === undefined ? undefined : trace.clear.get(endpoint.deliveryHeader.value);
  if (endpoint.deliveryHeader !== undefined && key === undefined) return undefined;
  if (headerOf(post, 'x-partner-key') !== key) return false;
  return endpoint.standardWebhooks === (headerOf(post, 'webhook-signature') !== undefined);
};

export const signedWithTheSecretOfTheMoment: Law = {
  name: 'every POST goes where its endpoint is, signed with its secret and with its API key of that moment',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const possible = versionsOf(facts, post);
      const fits = possible.map(({ endpoint }) => endpoint && isSentFor(facts, post, endpoint));
      return (
        !fits.includes(true) &&
        !possible.some(({ endpoint }, index) => endpoint && fits[index] === undefined) &&
        `POST to ${post.url} at ${post.at - facts.trace.startedAt} is not as receiver ${endpointAt(post.url)} asks for`
      );
    }),
};

export const onlyEnabledAreSent: Law = {
  name: 'nothing is sent to an endpoint that is not enabled',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const possible = versionsOf(facts, post);
      return (
        !possible.some(({ endpoint }) => endpoint?.state === 'enabled') &&
        `POST to ${post.url} at ${post.at - facts.trace.startedAt}, which is ${possible.at(-1)?.endpoint?.state ?? 'deleted'}`
      );
    }),
};

export const standardSignatures: Law = {
  name: 'Standard Webhooks headers name the event and the endpoint, and verify',
  check: ({ trace, ledger, endpoints }) => {
    // A host that died while it rotated a secret does not know it.
    const isKnown = [...endpoints.values()].every((versions) =>
      versions.every(({ endpoint }) =>
        [endpoint?.secret, endpoint?.nextSecret].every((sealed) => sealed === undefined || trace.clear.has(sealed)),
      ),
    );
    const secrets = [...trace.clear.values()].filter((text) => text.startsWith('whsec_'));
    return firstWrong(trace.posts, (post) => {
      const given = headerOf(post, 'webhook-signature');
      if (given === undefined) return undefined;
      const [id, at] = [headerOf(post, 'webhook-id'), headerOf(post, 'webhook-timestamp')];
      const { eventId, endpointId } = ledger.deliveryOf(post) ?? {};
      if (id !== `${eventId}_${endpointId}`) return `POST of event ${eventId} to ${endpointId} is named ${id}`;
      if (Math.abs(Number(at) * 1_000 - post.wallAt) > 3_000) return `POST at ${post.wallAt} says that it is ${at}`;
      const signed = secrets.map((secret) => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        return `v1,${createHmac('sha256', key).update(`${id}.${at}.${post.body}`).digest('base64')}`;
      });
      return (
        isKnown &&
        !given.split(' ').every((each) => signed.includes(each)) &&
        `POST of event ${id} has a wrong signature`
      );
    });
  },
};
