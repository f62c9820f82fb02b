import { second } from '../../src/base/runtime/time.ts';
import type { DeliveryRequest, SendOutcome } from '../../src/webhooks/deliveries/sender.ts';
import type { Endpoint } from '../../src/webhooks/endpoints/endpoint.ts';
import type { Delivery } from '../../src/webhooks/log/delivery-log.ts';
import type { WorkerOptions } from '../../src/webhooks/worker/context/worker-options.ts';
import type { Worker } from '../../src/webhooks/worker/worker.ts';
import type { TestClock } from './clock.ts';
import type { platform } from './kit.ts';

type WithKit = Pick<ReturnType<typeof platform>, 'kit'>;

/** What a receiver answers. */
export const answered = (status: number, more: { readonly body?: string; readonly retryAfter?: string } = {}) =>
  ({ kind: 'answered', status, body: '', durationMs: 1, ...more }) as const satisfies SendOutcome;

/** An endpoint that receives what {@link publish} publishes. */
export const subscribe = async ({ kit }: WithKit, host: string, accountId = 'acc_a'): Promise<Pick<Endpoint, 'id'>> =>
  (await kit.endpoints.create(accountId, { url: `https://${host}/`, events: ['payed'] }))._unsafeUnwrap().endpoint;

/** Publishes events of as many objects, which are called `<account>/<number>`. */
export const publish = async ({ kit }: WithKit, count: number, accountId = 'acc_a', from = 0): Promise<void> => {
  const batch = Array.from({ length: count }, (_, index) => ({
    accountId,
    objectName: 'RequestPayment' as const,
    type: 'payed' as const,
    data: { id: `${accountId}/${from + index}` },
  }));
  await kit.events.publishMany(batch, { tx: 'new' });
};

/** The object of a POST, as {@link publish} called it. */
export const idOf = ({ body }: Pick<DeliveryRequest, 'body'>): string => JSON.parse(body).data.id;
export const hostOf = ({ url }: Pick<DeliveryRequest, 'url'>): string => new URL(url).host;

/** The first 100. */
export const deliveriesOf = async ({ kit }: WithKit, accountId = 'acc_a'): Promise<readonly Delivery[]> =>
  (await kit.deliveries.list(accountId, { page: { limit: 100 } }))._unsafeUnwrap().items;

export const statesOf = async (made: WithKit, accountId = 'acc_a'): Promise<readonly Delivery['state'][]> =>
  (await deliveriesOf(made, accountId)).map(({ state }) => state);

/** The attempts of a delivery: of the first one, unless told otherwise. */
export const attemptsOf = async (made: WithKit, index = 0, accountId = 'acc_a') => {
  const delivery = (await deliveriesOf(made, accountId))[index];
  return (await made.kit.deliveries.attempts(accountId, delivery?.id ?? ''))._unsafeUnwrap();
};

/** Each attempt of a delivery in a word: its status, or why there was none. */
export const outcomesOf = async (made: WithKit, index = 0, accountId = 'acc_a') =>
  (await attemptsOf(made, index, accountId)).map((each) => (each.kind === 'answered' ? each.status : each.reason));

/** Stops a worker. Time passes meanwhile, so that attempts which nobody answers are given up. */
export const stopWorker = async (worker: Worker, clock: TestClock): Promise<void> => {
  let isStopped = false;
  const stopping = worker.stop().then(() => {
    isStopped = true;
  });
  for (let seconds = 0; !isStopped; seconds++) {
    if (seconds === 600) throw new Error('The worker does not stop.');
    await clock.advance(second);
  }
  await stopping;
};

/** Workers that a test starts; `stop` is called after it. */
export const runningWorkers = () => {
  const started: (readonly [Worker, TestClock])[] = [];
  return {
    run: ({ kit, clock }: WithKit & { readonly clock: TestClock }, options: WorkerOptions = {}): Worker => {
      const worker = kit.worker(options);
      started.push([worker, clock]);
      worker.start();
      return worker;
    },
    stop: async (): Promise<void> => {
      for (const [worker, clock] of started.splice(0)) await stopWorker(worker, clock);
    },
  };
};
