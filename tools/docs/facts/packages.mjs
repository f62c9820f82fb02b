// What pages say of packages: versions, sizes, and the options of those that partners use.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { hour, second } from '../../../packages/core/src/base/runtime/time.ts';
import { specificationSnippets } from '../../../packages/core/src/webhooks/signature/snippets/verify-snippets.ts';
import { bundle as portal } from '../../../packages/portal/build/bundle.mjs';
import { readPackages, root } from '../../packages.ts';
import { oldestTypeScript } from '../../shipped/projects.mjs';
import {
  constantOf,
  grouped,
  listAfter,
  milliseconds,
  minutes,
  numberAfter,
  seconds,
  short,
  size,
  word,
} from '../constants.mjs';

const packages = new Map(readPackages().map(({ folder, source }) => [folder, source]));
const enginesOf = (folder) => packages.get(folder).engines.node;

/** `^20.19.0 || >=22.12.0`: `['20.19', '22.12']`. */
const versionsOf = (range) => [...range.matchAll(/(\d+\.\d+)(?:\.\d+)?/g)].map(([, version]) => version);
const majorOf = (folder, peer) => /\d+/.exec(packages.get(folder).peerDependencies[peer])[0];
const [oldNode, node] = versionsOf(enginesOf('core'));
const [toolsNode] = versionsOf(enginesOf('testing'));
const undiciNode = numberAfter('node/src/undici/node-version.ts', 'needs Node.js 22.');
const sqliteNode = numberAfter('sqlite/src/library.ts', 'use 22.');

/** `check:bundles` allows 5 % more than it recorded; pages round that up to a hundred. */
const bytesOf = (folder, at) =>
  `${grouped(Math.ceil((packages.get(folder).partnerkit.bundles[at].bytes * 1.05) / 100) * 100)} bytes`;

const languages = word(readdirSync(`${root}packages/portal/src/element/messages`).length);
const [mariadb, mysql] = [
  numberAfter('mysql/src/check.ts', 'mariadb: ['),
  numberAfter('mysql/src/check.ts', 'mysql: ['),
];
const clientOption = (name) => constantOf('client/src/create-client.ts', name);
const timeoutOfClient = clientOption('timeout');
const waits = [1, 2, 4].map((times) => (times * constantOf('client/src/retry.ts', 'firstWait')) / second);

const feeds = 'core/src/webhooks/feeds/pull-events.ts';
const [longestWait, answerTime] = ['longestWait', 'answerTime'].map((name) => constantOf('client/src/events.ts', name));
const longestPause = numberAfter('client/src/follow.ts', '[firstPause, longestPause] = [1_000, ');
const pullProgram = '../examples/receivers/pull.py';

const inbox = 'receiver/src/inbox-worker.ts';
const delays = [
  ...listAfter(inbox, 'const defaultDelays: readonly DurationMs[] = [\n  ...'),
  ...listAfter(inbox, '],\n  ...').map((each) => each * hour),
];

/** The major versions of PostgreSQL that the contract suites ran on. */
const ran = Object.keys(JSON.parse(readFileSync(`${root}docs/contributing/contracts.json`, 'utf8')));
const ofPostgres = ran.flatMap((name) => /^PostgreSQL (\d+)$/.exec(name)?.[1] ?? []).map(Number);

const gzipped = (name) => gzipSync(portal[name]).length;
const tags = readdirSync(`${root}packages/portal/src/element/languages`).map((file) => file.replace('.ts', '.js'));
const firstLoad = Math.ceil((gzipped('portal.js') + Math.max(...tags.map(gzipped))) / 1_000);

const rootEngines = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).engines.node;
/** Receivers of the examples, with that in TypeScript. */
const receivers = readdirSync(`${root}examples/receivers`).filter((file) => /^receiver\.\w+$/.test(file)).length + 1;

const versions = [
  `Node.js ${oldNode} or newer`,
  `Node.js ${oldNode}, ${node} and newer`,
  `Node.js ${oldNode}, or ${node} and newer`,
  `they run on Node.js ${oldNode} and newer`,
  `Node.js ${toolsNode} or newer`,
  `Node.js 22.${undiciNode}`,
  `Node.js 22.${sqliteNode}, 24`,
  `Express ${majorOf('express', 'express')}`,
  `Fastify ${majorOf('fastify', 'fastify')}`,
  `NestJS ${majorOf('nestjs', '@nestjs/core')}`,
  `MariaDB ${mariadb}.11`,
  `MySQL ${mysql}.4`,
  `PostgreSQL ${Math.min(...ofPostgres)} to ${Math.max(...ofPostgres)}`,
  `Node.js ${/\d+/.exec(rootEngines)[0]} or newer`,
  `TypeScript ${oldestTypeScript.split('.', 2).join('.')}`,
];

export const ofPackages = [
  ...versions,
  `in ${languages} languages`,
  `the ${languages} languages above`,
  `loads ${firstLoad} kB first`,
  `verifies in ${word(specificationSnippets().length)} languages`,
  `vectors in ${word(specificationSnippets().length)} languages`,
  `code in ${word(specificationSnippets().length)} languages`,
  `tenant, in ${word(specificationSnippets().length)} languages`,
  `What to tell your partners] , in ${word(receivers)} languages`,
  // Client
  `The package with its dependencies is at most ${bytesOf('client', 0)}`,
  `attempts of one request | ${clientOption('maxAttempts')} |`,
  `returns the answer | ${grouped(clientOption('maxWait'))} |`,
  `is given up | ${grouped(timeoutOfClient)} |`,
  `${grouped(clientOption('maxResponseBytes'))} (${size(clientOption('maxResponseBytes'))})`,
  `without a whole answer in ${seconds(timeoutOfClient)}`,
  `${waits.slice(0, -1).join(', ')} and ${waits.at(-1)} seconds at most`,
  `is renewed ${minutes(constantOf('client/src/access-token.ts', 'renewBefore')).replace('1', 'a')} before`,
  // Pulled events
  `waits up to ${longestWait} seconds for an event, and ends ${word(answerTime / second)} seconds before`,
  `1, 2, 4, … and at most ${longestPause / second} seconds. `,
  `are waited for, with pauses of at most ${longestPause / second} seconds. `,
  `one transaction; 1 to 100 | ${numberAfter(feeds, '(limit ?? ')} |`,
  `50 by default) and ${size(constantOf(feeds, 'maxBytes'))}, unless`,
  `and waits ${numberAfter(pullProgram, 'TIMEOUT, LONGEST_PAUSE = ')} seconds for an answer`,
  // Receiver
  `The package with its dependencies is at most ${bytesOf('receiver', 0)}`,
  `is at most ${bytesOf('receiver', 1)}`,
  `waits ${delays.slice(0, -1).map(short).join(', ')} and ${short(delays.at(-1))}`,
  `${word(delays.length + 1)} attempts in ${Math.round(delays.reduce((sum, wait) => sum + wait, 0) / hour)} hours`,
  // Redis
  `(${milliseconds(numberAfter('redis/src/commands.ts', 'timeout: DurationMs = '))} by default)`,
];
