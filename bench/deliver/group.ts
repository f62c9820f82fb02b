import { type Child, startChild } from '../children.ts';
import { atLeast, compared, inTurns, type Line, perCpuSecond, type Side } from '../measure.ts';
import { type Done, expectCount, metered } from '../meter.ts';
import type { Bare } from '../postgres/engines/bare.ts';
import { engines } from '../postgres/engines/index.ts';
import type { ReceiverHandlers } from '../postgres/receiver.ts';
import type { Sized } from '../sizes.ts';
import type { Kit } from './kit.ts';
import type { Posts, PostsInput } from './posts.ts';

/**
 * The sender alone, and the worker over a backlog in memory, against bare POSTs of the same bytes: over TLS, 64 in
 * flight, with the receiver in another process.
 */
export async function* deliver(sized: Sized): AsyncGenerator<Line> {
  const count = sized(4_000, 100);
  const rounds = sized(9, 1);
  const at = await startChild<ReceiverHandlers>(new URL('../postgres/receiver.ts', import.meta.url), {});
  const receiver = await at.ask('address');
  const program = new URL('./kit.ts', import.meta.url);
  const startPosts = (through: PostsInput['through']) =>
    startChild<Posts>(new URL('./posts.ts', import.meta.url), { receiver, through }, through);
  const [https, sender, request, bare, ours, traced] = await Promise.all([
    startPosts('httpsSender'),
    startPosts('undiciSender'),
    startPosts('Pool.request'),
    startChild<Bare>(engines.bare, { database: '', redis: '', receiver }, 'bare POSTs'),
    startChild<Kit>(program, { receiver }, 'partnerkit'),
    startChild<Kit>(program, { receiver, openTelemetry: true }, 'partnerkit with OpenTelemetry'),
  ]);
  const side =
    (child: Child<unknown>, run: () => Promise<Done>): Side =>
    async () => {
      const before = await at.ask('received');
      const sample = await metered(run, [child]);
      expectCount('POSTs that arrived', (await at.ask('received')) - before, count);
      return sample;
    };
  const done = async (rate: Promise<number>): Promise<Done> => ({ units: count, rate: await rate });
  try {
    const posted = await inTurns(
      {
        'Pool.request': side(request, () => done(request.ask('post', count))),
        undiciSender: side(sender, () => done(sender.ask('post', count))),
        httpsSender: side(https, () => done(https.ask('post', count))),
      },
      rounds,
    );
    const [senders, requests] = [posted.undiciSender, posted['Pool.request']];
    yield compared('POSTs a second of CPU', senders, '`Pool.request`', requests, atLeast(1.3), perCpuSecond);
    const byNode = posted.httpsSender;
    yield compared('`httpsSender`: POSTs a second of CPU', byNode, '`undiciSender`', senders, undefined, perCpuSecond);
    const rates = await inTurns(
      {
        'Pool.request': side(bare, () => done(bare.ask('post', count))),
        partnerkit: side(ours, () => done(ours.ask('deliver', count))),
        'partnerkit with OpenTelemetry': side(traced, () => done(traced.ask('deliver', count))),
      },
      rounds,
    );
    yield compared('deliver from memory', rates.partnerkit, '`Pool.request`', rates['Pool.request'], atLeast(0.9));
    yield compared(
      'deliver with OpenTelemetry without an SDK',
      rates['partnerkit with OpenTelemetry'],
      'without OpenTelemetry',
      rates.partnerkit,
      atLeast(0.98),
    );
  } finally {
    await Promise.all([https, sender, request, bare, ours, traced].map((child) => child.end()));
    await at.end();
  }
}
