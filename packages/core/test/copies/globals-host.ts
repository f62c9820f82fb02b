// A platform in a process whose globals others have changed. Run in a worker thread.
import { parentPort, workerData } from 'node:worker_threads';

const Native = globalThis.Promise;

/** A promise of a library: thenable, and no subclass of the promise of async functions. */
class LibraryPromise<T> {
  readonly #settled: Promise<T>;
  constructor(run: ConstructorParameters<typeof Promise<T>>[0]) {
    this.#settled = new Native<T>(run);
  }
  static of<T>(settled: Promise<T>): LibraryPromise<T> {
    return new LibraryPromise((resolve) => resolve(settled));
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<A, B>(done?: (value: T) => A, failed?: (cause: unknown) => B): LibraryPromise<A | B> {
    return LibraryPromise.of(this.#settled.then(done, failed));
  }
  catch<B>(failed: (cause: unknown) => B): LibraryPromise<T | B> {
    return LibraryPromise.of(this.#settled.catch(failed));
  }
  finally(ended: () => void): LibraryPromise<T> {
    return LibraryPromise.of(this.#settled.finally(ended));
  }
}
const statics = ['resolve', 'reject', 'all', 'allSettled', 'any', 'race'] as const;
for (const name of statics)
  Object.assign(LibraryPromise, {
    [name]: (given: never) => LibraryPromise.of((Native[name] as (given: never) => Promise<unknown>)(given)),
  });
if (workerData === 'Promise') Object.assign(globalThis, { Promise: LibraryPromise });

const { nodeBody, platform, publishStrict, request } = await import('./globals-platform.ts');

/** As old libraries did: found by `for … in` in every object. After the import, because zod then makes no class. */
const extend = (prototype: object, name: string): void => {
  Object.defineProperty(prototype, name, { value: () => undefined, enumerable: true, configurable: true });
};
if (workerData === 'prototypes') {
  extend(Object.prototype, 'extend');
  extend(Array.prototype, 'last');
  extend(String.prototype, 'format');
}
const unhandled: string[] = [];
process.on('unhandledRejection', (cause) => unhandled.push(String(cause)));

const { kit, requests, sender } = platform({
  observe: async () => {
    throw new Error('the observer');
  },
  onError: async () => {
    throw new Error('the listener of errors');
  },
});
const { client, secret } = (await kit.clients.create('acc_a', { name: 'x' }))._unsafeUnwrap();
const login = await request(kit, 'POST', '/login', {
  body: { client_id: client.id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' },
});
const token: string = JSON.parse(login.body).access_token;
const calls = [];
for (let count = 0; count < 3; count++)
  calls.push((await request(kit, 'GET', '/organisations/acc_a/me', { token })).status);
(await kit.endpoints.create('acc_a', { url: 'https://partner.example/', events: ['creation'] }))._unsafeUnwrap();
const body = { name: 'Stay', amount: 10, currency: 'EUR', recipient: { email: 'guest@example.com' }, room: '12' };
const created = await request(requests, 'POST', '/organisations/acc_a/payment-requests', { token, body });
const { id } = JSON.parse(created.body);
const path = `/organisations/acc_a/payment-requests/${id}`;
const patched = await request(requests, 'PATCH', path, { token, body: { recipient: { name: 'Zoë' }, room: '13' } });
const listed = await request(requests, 'GET', '/organisations/acc_a/payment-requests?limit=1', { token });
const unknown = await request(requests, 'PATCH', path, { token, body: { name: 'New', nmae: 'x' } });
await kit.worker().drain();
// Rejections that nobody handles are told after the queue of microtasks.
await new Native((resolve) => setImmediate(resolve));
parentPort?.postMessage({
  isChanged: !((async () => {})() instanceof Promise) || 'extend' in {},
  login: login.status,
  calls,
  requests: [created, patched, listed].map(({ status }) => status),
  written: typeof nodeBody(created),
  unknown: JSON.parse(unknown.body).errors,
  strict: await publishStrict(),
  sent: sender.posts.length,
  unhandled,
});
