// A platform in a process whose global `Promise` is that of a library. Run in a worker thread.
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
if (workerData === 'replaced') Object.assign(globalThis, { Promise: LibraryPromise });

const { alone, eventInput, platform, request } = await import('./replaced-promise-platform.ts');
const unhandled: string[] = [];
process.on('unhandledRejection', (cause) => unhandled.push(String(cause)));

const { kit, sender } = platform({
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
(await kit.endpoints.create('acc_a', { url: 'https://partner.example/', events: ['payed'] }))._unsafeUnwrap();
await kit.events.publish(eventInput, alone);
await kit.worker().drain();
// Rejections that nobody handles are told after the queue of microtasks.
await new Native((resolve) => setImmediate(resolve));
const isReplaced = !((async () => {})() instanceof Promise);
parentPort?.postMessage({ isReplaced, login: login.status, calls, sent: sender.posts.length, unhandled });
