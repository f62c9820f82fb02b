import type { Figure } from '../measure.ts';
import { startChild } from '../postgres/children.ts';
import type { Bare } from '../postgres/engines/bare.ts';
import { engines } from '../postgres/engines/index.ts';
import type { ReceiverHandlers } from '../postgres/receiver.ts';
import { figure, inTurns } from '../postgres/turns.ts';
import type { Kit } from './kit.ts';
import type { Posts, PostsInput } from './posts.ts';

const count = 4_000;
const rounds = 9;

/**
 * The sender alone, and the worker over a backlog in memory, against bare POSTs of the same bytes: over TLS, 64 in
 * flight, with the receiver in another process.
 */
export async function* deliver(): AsyncGenerator<Figure> {
  const at = await startChild<ReceiverHandlers>(new URL('../postgres/receiver.ts', import.meta.url), {});
  const receiver = await at.ask('address');
  const program = new URL('./kit.ts', import.meta.url);
  const startPosts = (through: PostsInput['through']) =>
    startChild<Posts>(new URL('./posts.ts', import.meta.url), { receiver, through });
  const sender = await startPosts('undiciSender');
  const request = await startPosts('Pool.request');
  const bare = await startChild<Bare>(engines.bare, { database: '', redis: '', receiver });
  const ours = await startChild<Kit>(program, { receiver });
  const traced = await startChild<Kit>(program, { receiver, openTelemetry: true });
  try {
    const perCpu = await inTurns(
      { request: () => request.ask('post', count), sender: () => sender.ask('post', count) },
      rounds,
    );
    yield figure('POSTs a second of CPU, of Pool.request', 1, perCpu.sender, perCpu.request);
    const rates = await inTurns(
      {
        bare: () => bare.ask('post', count),
        ours: () => ours.ask('deliver', count),
        traced: () => traced.ask('deliver', count),
      },
      rounds,
    );
    yield figure('deliver from memory, of Pool.request', 0.7, rates.ours, rates.bare);
    yield figure('deliver with OpenTelemetry without an SDK, of without', 0.98, rates.traced, rates.ours);
  } finally {
    await Promise.all([sender, request, bare, ours, traced].map((child) => child.end()));
    await at.end();
  }
}
