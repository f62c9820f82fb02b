import type { DescribedOperation } from './operation.ts';
import { readsPages } from './query.ts';
import { simulationTag } from './tags.ts';

/** What the introduction is written from. */
interface Described {
  readonly basePath: string;
  readonly operations: readonly DescribedOperation[];
  readonly hasWebhooks: boolean;
}

/** Where API keys can have networks. */
const networks = ` An API key may be used from some networks only: a
login from elsewhere is refused as a wrong secret is, and a call from elsewhere is 403 \`address_not_allowed\`.`;

const login = (basePath: string, hasNetworks: boolean): string => `## Login

Send the id and the secret of an API key to \`POST ${basePath}/login\` (OAuth 2.0 client credentials, RFC 6749 §4.4).
Send the access token with each request, as \`Authorization: Bearer <token>\`. After \`expires_in\` seconds, or after a
401, log in again. Do not log in for each request: logins are limited. An API key may have some rights only: a request
without the right is 403 \`insufficient_scope\`, which names it.${hasNetworks ? networks : ''}

## Accounts

The API key of an account reaches this account and its child accounts. \`organisationId\` in the path names the account.
Every other account answers 404.`;

const idempotency = `## Repeat a request

Send an \`Idempotency-Key\` with a POST, such as a UUID. Repeat the request with the same key after a lost connection or
a 503: it takes effect once, and its answer is the first one, for 24 hours. The same key with another request is 422.`;

const versions = `## Versions

The \`ETag\` of an object names its version. Send it as \`If-Match\` with a change: if the object was changed meanwhile,
the answer is 412 and nothing changes. Send it as \`If-None-Match\` with a read: the answer is 304 while the version is
the same.`;

const pages = `## Lists

A list has at most \`limit\` items. While \`next\` is there, send it as \`after\` to read the next page. Its absence ends
the list.`;

const errors = `## Errors

An error is a problem document (RFC 9457). \`code\` is stable: programs compare it. \`detail\` says what to do, and
\`errors\` where. Name the header \`x-request-id\` when you ask the platform about an error. After 429 and 503, wait as
\`Retry-After\` says.`;

const simulation = `## Test environment

In a test environment, the operations of the group "${simulationTag}" do what the platform or a recipient would do.`;

const webhooks = `## Webhooks

The platform sends a POST to your endpoint for each event that it selects. Verify the signature over the exact bytes of
the body. Then look whether you processed the event before: an event can arrive twice, and after a later one. Answer
2xx once it is stored. A 410 disables the endpoint. After any other answer, and after none, the event is sent again.`;

/** The introduction of a document: what holds for all of its operations, in Markdown. */
export const introductionOf = ({ basePath, operations, hasWebhooks }: Described): string => {
  const some = (has: (operation: DescribedOperation) => unknown): boolean => operations.some((each) => has(each));
  const hasNetworks = some(({ refuses }) => refuses.some(({ code }) => code === 'address_not_allowed'));
  return [
    ...(some(({ by }) => by === 'client') ? [login(basePath, hasNetworks)] : []),
    ...(some(({ idempotent }) => idempotent) ? [idempotency] : []),
    ...(some(({ conditional, method }) => conditional && method !== 'GET') ? [versions] : []),
    ...(some(({ query }) => readsPages(query)) ? [pages] : []),
    errors,
    ...(some(({ tag }) => tag === simulationTag) ? [simulation] : []),
    ...(hasWebhooks ? [webhooks] : []),
  ].join('\n\n');
};
