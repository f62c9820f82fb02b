import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock, scriptedHost } from '@partnerkit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventsIn, keysIn } from './events.ts';
import { missing, notInstalled } from './missing.ts';
import { type Environment, type Program, run, startProgram } from './program.ts';
import { type Answer, send } from './send.ts';
import { bodyOf, headersAt, type VectorRequest, vectors } from './vectors.ts';

export interface ReceiverUnderTest {
  readonly name: string;
  /** Commands that this machine must have. */
  readonly needs: readonly string[];
  /** Compiles it, into the folder `$BUILD`. */
  readonly build?: string;
  /** Starts it. */
  readonly start: string;
  /**
   * Whether its keys are stored on disk, shared by processes and restarts. After a kill during its work, an event is
   * processed when it is sent again: at once, or after its lease.
   */
  readonly durable: false | 'at once' | 'lease';
  /** What it does without its secrets. */
  readonly withoutSecrets: 'ends' | 'answers 500';
}

const startTimeout = 120_000;

/** A folder that is removed after the tests. */
const folder = (): string => mkdtempSync(join(tmpdir(), 'partnerkit-receiver-'));
const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

/** Tests a receiver, a real process on a real socket, with the shared vectors and with cases beyond them. */
export const receiverSuite = ({ name, needs, build, start, durable, withoutSecrets }: ReceiverUnderTest): void => {
  const absent = missing(needs);
  if (absent !== undefined) {
    notInstalled(absent, `the receiver in ${name}`);
    return;
  }

  const BUILD = folder();
  afterAll(() => remove(BUILD));
  if (build !== undefined) {
    beforeAll(async () => {
      const { ended, output } = run(build, { BUILD });
      if ((await ended) !== 0) throw new Error(output());
    }, startTimeout);
  }
  const startOn = (data: string, env: Environment = {}): Promise<Program> =>
    startProgram(start, { BUILD, DATA_DIR: data, WEBHOOK_SECRETS: vectors.secrets.join(' '), ...env });

  /** Starts a receiver with a separate folder. */
  const running = async (env: Environment = {}, handlers: 'work' | 'held' = 'work') => {
    const data = folder();
    onTestFinished(() => remove(data));
    const events = eventsIn(data);
    if (handlers === 'held') events.hold();
    const program = await startOn(data, env);
    onTestFinished(program.stop);
    return { program, data, events };
  };

  /** Sends a request of the vectors with a signature of now. */
  const sendTo = ({ url }: Program, request: VectorRequest): Promise<Answer> =>
    send(url, headersAt(request, Math.floor(Date.now() / 1_000)), bodyOf(request), request.method);
  const named = (vector: string): VectorRequest => {
    const [request] = vectors.vectors.find((each) => each.name === vector)?.requests ?? [];
    return request ?? expect.unreachable(vector);
  };

  describe.each(['open', 'guarded'] as const)('%s', (kind) => {
    const mine = vectors.vectors.filter(({ to }) => to === kind);
    const guard = { WEBHOOK_API_KEY: vectors.apiKey.value };
    const data = folder();
    const events = eventsIn(data);
    let program: Program;
    beforeAll(async () => {
      writeFileSync(events.file, '');
      program = await startOn(data, kind === 'guarded' ? guard : {});
    }, startTimeout);
    afterAll(async () => {
      await program?.stop();
      remove(data);
    });

    // Not `test.each`, which cuts long names off.
    for (const { name: law, requests, processed } of mine) {
      test(law, async () => {
        const before = events.read().length;
        for (const request of requests) {
          if (request.handler === 'fails') events.fail();
          const answer = await sendTo(program, request);
          if (request.handler === 'fails') events.recover();
          expect(answer.status, `${answer.body}\n${program.output()}`).toBe(request.answer);
          if (answer.status === 204) expect(answer.body).toBe('');
        }
        expect(events.read().slice(before)).toEqual(processed);
      });
    }

    test('nothing but that was processed', () => {
      expect(events.read()).toEqual(mine.flatMap(({ processed }) => processed));
    });
  });

  test('takes what a platform sends, whatever is in it', async () => {
    const { kit, accounts, publish, deliver, sender } = await scriptedHost({ clock: manualClock(Date.now()) });
    const created = await kit.endpoints.create(accounts.own.id, {
      url: 'https://partner.test/webhooks',
      events: ['payed', 'deposit_success'],
      standardWebhooks: true,
    });
    const { endpoint, secret } = created._unsafeUnwrap();
    const { program, events } = await running({ WEBHOOK_SECRETS: secret });
    const published = [
      await publish({
        type: 'payed',
        id: 'p1',
        data: { name: 'Gîte des Érables — 日本語 🏡', status: 'a\\b "c" \n\u2028</d>' },
      }),
      await publish({ type: 'deposit_success', objectName: 'RequestSecurityDeposit', data: { depositAmount: 850.5 } }),
    ];
    await deliver();
    const posts = sender.sent.filter(({ url }) => url === endpoint.url);
    for (const { headers, body } of [...posts, ...posts])
      expect((await send(program.url, Object.entries(headers), Buffer.from(body))).status, program.output()).toBe(204);
    const names = events.read().map(([objectName, id, type]) => ({ objectName, id, type }));
    expect(names.sort((a, b) => a.type.localeCompare(b.type))).toEqual(
      published
        .map(({ objectName, id, type }) => ({ objectName, id, type }))
        .sort((a, b) => a.type.localeCompare(b.type)),
    );
  });

  test('a duplicate of what is being processed is answered 409 with Retry-After, and 204 once that is done', async () => {
    const { program, data, events } = await running({}, 'held');
    // If it is durable, the duplicate goes to another process.
    const other = durable ? await startOn(data) : program;
    onTestFinished(other.stop);
    const request = named('a good signature');
    const both = [sendTo(program, request), sendTo(other, request)];
    expect(await Promise.race(both)).toMatchObject({ status: 409, retryAfter: '10' });
    const written = await readFile(events.file, 'utf8');
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(keysIn(written)).toHaveLength(1);
    expect((await sendTo(other, request)).status).toBe(204);
  });

  if (durable) {
    test('a duplicate is known after a restart', async () => {
      const { program, data, events } = await running();
      const request = named('a good signature');
      expect((await sendTo(program, request)).status).toBe(204);
      await program.stop();
      const restarted = await startOn(data);
      onTestFinished(restarted.stop);
      expect((await sendTo(restarted, request)).status).toBe(204);
      expect(events.read()).toHaveLength(1);
    });

    test('an event in whose work the process is killed is not taken for processed', async () => {
      const { program, data, events } = await running({}, 'held');
      const other = await startOn(data);
      onTestFinished(other.stop);
      const request = named('a good signature');
      const answers = [program, other].map((each) =>
        sendTo(each, request).then(
          ({ status }) => status,
          () => 'cut off',
        ),
      );
      // One is refused; the other is processing.
      const [working, idle] = await Promise.race([
        answers[0]?.then(() => [other, program] as const),
        answers[1]?.then(() => [program, other] as const),
      ]).then((both) => both ?? expect.unreachable());
      await working.stop();
      expect((await Promise.all(answers)).sort()).toEqual([409, 'cut off']);
      events.letGo();
      expect((await sendTo(idle, request)).status).toBe(durable === 'at once' ? 204 : 409);
      expect(events.read()).toHaveLength(durable === 'at once' ? 1 : 0);
    });
  }

  if (withoutSecrets === 'answers 500') {
    test('without its secret it answers 500, and says why', async () => {
      const { program } = await running({ WEBHOOK_SECRETS: undefined });
      expect((await sendTo(program, named('a good signature'))).status).toBe(500);
      expect(program.output()).toContain('WEBHOOK_SECRETS');
    });
  } else {
    test.each(['WEBHOOK_SECRETS', 'PORT'])('without %s it ends, and says why', async (variable) => {
      const given = { BUILD, PORT: '0', WEBHOOK_SECRETS: 'whsec_AAAA', [variable]: undefined };
      const { ended, output, kill } = run(start, given);
      onTestFinished(kill);
      expect(await ended).not.toBe(0);
      expect(output()).toContain(variable);
      expect(output()).not.toContain('listening');
    });
  }
};
