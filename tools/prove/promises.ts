// What the library promises about delivery, and the laws that check it, as each proof names them.

/** A promise, in the words of the documentation. */
export interface KeptPromise {
  readonly promise: string;
  /** Laws of the simulator. Each law belongs to one promise. */
  readonly simulator: readonly string[];
  /** How many laws of the killed processes check it, on SQLite and on PostgreSQL. */
  readonly processes: readonly string[];
  readonly postgres: readonly string[];
}

export const promises: readonly KeptPromise[] = [
  {
    promise: 'A committed event is not lost. An event that was rolled back is never sent.',
    simulator: [
      'what was rolled back is never sent or stored, and what was committed is stored',
      'what is committed is delivered, exhausted, held or expired',
      'an event goes to the endpoints that take it when it is dispatched, and to no others',
      'a watermark never passes a delivery that is neither logged nor pending',
      'an idempotency key makes one event',
    ],
    processes: [
      'an event whose transaction committed arrives at each endpoint that selects it',
      'an event whose transaction was rolled back is never sent',
      'a transaction whose process was killed stores all of its events, or none',
      'every delivery is delivered',
    ],
    postgres: [
      'nothing that was committed is lost, and nothing is stored twice',
      'nothing is stored or sent that was rolled back, or never published',
      'an event is dispatched to every endpoint of its account, once',
      'a delivery ends once, or is held',
      'what is delivered was confirmed by the receiver',
    ],
  },
  {
    promise: 'Deduplication is exact: no two events of one object share a second.',
    simulator: [
      'the timestamps of one object strictly increase, in the order in which its events were published',
      'a timestamp is that of its event, and not ahead of the clock, unless the object needs a later one',
      'nothing is sent whose timestamp lies more than a minute ahead of the clock of the storage, unless it is sent again',
    ],
    processes: ['the timestamps of one object strictly increase, in the order of its events'],
    postgres: [
      'no two events of an account share an object and a timestamp',
      'the timestamps of an object increase in the order in which its events were committed',
    ],
  },
  {
    promise: 'A program that pulls gets each event once, in one order. None is committed behind its cursor.',
    simulator: [
      'each event that a pull endpoint selects is in its feed, once, in the order of dispatch, with its timestamp',
      'a cursor goes on where its page ended, whatever is dispatched later',
      'a reader that reads to the end has got all that its feed has',
    ],
    processes: [
      'two copies of a program that pulls handle each committed event once',
      'a program that pulls gets the bytes that are sent, and the events of an object in their order',
    ],
    postgres: [],
  },
  {
    promise: 'A handler in a transaction has one effect of each event. A handler without one is called at least once.',
    simulator: [],
    processes: [
      'a handler in a transaction has one effect of each stored event, and no other',
      'a handler is called for each stored event with its key, and again only after its worker was killed',
    ],
    postgres: [],
  },
  {
    promise: 'Every attempt of an event sends the same bytes, signed with the secret of that moment.',
    simulator: [
      'every attempt sends the bytes that were dispatched, which say what was published',
      'every POST goes where its endpoint is, signed with its secret and with its API key of that moment',
      'Standard Webhooks headers name the event and the endpoint, and verify',
    ],
    processes: [
      'all attempts of an event send the same bytes',
      'every attempt is signed with the secret of its endpoint',
    ],
    postgres: ['all attempts of a delivery send the bytes that were stored'],
  },
  {
    promise: 'One worker at a time delivers the events of an account. A worker that lost its lease changes nothing.',
    simulator: [
      'no write of a worker takes effect after it was fenced, and nobody is fenced whose lease lives',
      'a shard has one owner at most',
      'no worker misses what the storage has',
      'a worker writes to shards that it owns, and to no others',
      'no attempt starts unless the lease outlives its deadline',
      'a worker attempts deliveries of shards that it owns, and of no others',
      'no attempt is in flight still when another worker owns its shard',
      'no two attempts of a delivery overlap',
    ],
    processes: [],
    postgres: [
      'an attempt begins only if the lease outlives it',
      'a shard is taken only from a worker that was killed, or let its lease expire',
      'a worker is fenced only after its lease, by its own clock',
    ],
  },
  {
    promise: 'After a crash, other workers go on within the lease. `stop()` loses nothing and ends.',
    simulator: [
      'the shards of a worker that died are taken over within its lease',
      'the shards of a worker that stopped are served by another at once',
      'stop() settles all that is in flight, hands the shards over, and ends in time',
      'stop() ends within a minute, also when the storage does not answer',
      'an abandoned attempt is logged only after its shard was taken over of a worker that was lost',
    ],
    processes: ['a confirmed attempt is made again only after its worker was killed'],
    postgres: [
      'an attempt is abandoned only by a worker whose shard was taken',
      'an attempt is made again only if it failed, or its shard was taken',
    ],
  },
  {
    promise: 'No attempt is early. Ten failed attempts exhaust a delivery. The log has every attempt once.',
    simulator: [
      'no attempt is early',
      'a delivery is exhausted by its tenth attempt that counts, and delivered by a 2xx answer',
      'what is delivered, exhausted or expired is not attempted again',
      'the log has each attempt, once and in order',
    ],
    processes: [],
    postgres: ['a log is numbered from 1, ends with what became of its delivery, and counts five attempts at most'],
  },
  {
    promise: 'A failing endpoint is paused, probed and disabled as documented. `Retry-After` is obeyed.',
    simulator: [
      'after five failures in a row only what a person sends goes to an endpoint, for a minute, then five and fifteen',
      'a half-open breaker lets one attempt through at a time',
      'a receiver that answers 429 or 503 with Retry-After is left alone for so long',
      'an endpoint is disabled after 410, or after five days of failures, ten of them, and an exhausted delivery',
      'an endpoint that answers 410 is disabled with the settlement of that answer',
      'an endpoint that fails for five days does not stay enabled',
      'nothing is sent to an endpoint that is not enabled',
      'what a person sends is attempted within a poll and a lease, also while the breaker is open, unless the receiver asks for a pause',
    ],
    processes: [],
    postgres: [],
  },
  {
    promise: 'What the host pauses is not sent to until it is resumed. What waits is kept, and sent then.',
    simulator: [
      'nothing is sent to what is paused, later than a poll after its pause was stored, until it is resumed',
      'a pause of sending ends no delivery, logs no attempt and disables no endpoint',
    ],
    processes: [],
    postgres: [],
  },
  {
    promise: 'No account and no endpoint waits for another one. Limits of attempts in flight hold over all workers.',
    simulator: [
      'what is committed is dispatched within a poll and a lease, as long as a worker lives',
      'what is due is attempted within a poll and a lease, unless its endpoint may not be sent to',
      'no endpoint has more attempts in flight than it may, over all workers',
      'no worker has more attempts in flight than it may, of one account and in all',
      'receivers that are known to hang delay no other account longer than a poll',
      'endpoints whose last attempt timed out hold at most half of the slots, one each',
      'a worker makes one attempt at a time to an endpoint until one has ended',
      'no account waits behind the backlog of another',
      'no endpoint waits behind the backlog of another one of its account',
    ],
    processes: [],
    postgres: ['no more are in flight to an endpoint than may be'],
  },
  {
    promise: 'Events of a child reach its parent once, and no other account.',
    simulator: [
      'an event of a child goes to its parent, once, with its timestamp',
      'nothing is sent to an account that does not reach the account of the event',
    ],
    processes: [],
    postgres: ['the parent has one copy of each event of its children'],
  },
  {
    promise:
      'A change of an endpoint or of a pause has its entry in the audit trail, whoever dies, and an entry its change.',
    simulator: [
      'a change of an endpoint, and of a pause, has its entry in the audit trail, once, and an entry its change',
      'an endpoint is told failing once until something else is told of it',
    ],
    processes: [],
    postgres: [],
  },
  {
    promise: 'Rows are kept for their time, and deleted after it. A replay sends what it names.',
    simulator: [
      'a replay makes a delivery of each event that its endpoint takes and is not waiting for',
      'what is held expires after its time, and not before',
      'what is held for too long, or has no endpoint any more, expires',
      'nothing is pruned before its time',
      'an event stays as long as one of its deliveries is pending',
      'events go after their time, once all their deliveries are finished',
    ],
    processes: [],
    postgres: [],
  },
];
