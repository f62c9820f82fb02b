#!/usr/bin/env node
// Fails on comments and prose over 120 columns, and on words for which the project has a better one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Files that a program writes. */
const generated =
  /^(docs\/reference\/(bad-input|catalogue|standards)\.md|docs\/reference\/api\/|packages\/(client\/src\/partner|portal\/src\/element\/management)-api\.ts|.*CHANGELOG\.md)/;
const shipped = /^(packages\/[^/]+\/(src\/|README)|docs\/|bench\/|examples\/|(README|CONTRIBUTING|SECURITY)\.md)/;
const source = /^(packages\/[^/]+\/src|bench|examples)\/.*\.(ts|sql)$/;

/** A word, its replacement, and the files to check. */
const words = [
  [/\b(create)?Bell\b|\bring\(\)/, 'WakeSignal, wake', source],
  [/\bbell\b|\bpatience\b/, 'wakeSignal, timeout', source],
  [/\b(on|Inbox|Storage)?Trouble\b|\bworker_trouble\b/, 'error', shipped],
  [/\btook\??:|\.took\b/, 'durationMs', source],
  [/\bmost(?!Recent)[A-Z]\w*/, 'max…', shipped],
  [/\bgiveBack\b/, 'refund (limiter), release (deliveries)', shipped],
  [/\buntoldStaleness\b/, 'maxStaleness', shipped],
  [/\bFreshClients\b/, 'ClientCache', shipped],
  [/\b(Client|client|memoryClient|redisClient)News\b|\bnews\b/, 'ClientChangeFeed, changeFeed', shipped],
  [/\bmountable\b/, 'mountRoutes', shipped],
  [/\btellError\b|\bteller\b/, 'safeListener', shipped],
  [/\bEndpointTurn\b|\bJudged\b|\broomFor\b/, 'EndpointHealthChange, HealthUpdate, availableCapacity', shipped],
  [/\b(askedUntil|openings)\b/, 'retryAfterUntil, openCount', shipped],
  [/\bReferrals?\b|\breferralsOn\b/, 'ParentPropagation, ParentLookup', shipped],
  [/\b(stamped_ahead|login_pressure)\b/, 'timestamp_ahead, login_failures_high', shipped],
  [/\b(KeptAnswer|AnswerStore)\b/, 'StoredResponse, IdempotencyStore', shipped],
  [/\b(ParkedEntry|InboxView)\b/, 'DeadLetter, InboxStats', shipped],
  [/\bso manieth\b/, 'an ordinal or a number', shipped],
  [/\bwho was told\b|\bwhat may not\b/, 'subject, verb, object', shipped],
];

const isComment = /^\s*(\/\/|\/?\*|--)/;
const isTableOrUrl = /^\s*(>\s*)?\||https?:\/\//;

/** The lines to measure: prose of Markdown, comments elsewhere. The formatter breaks code; it cannot break strings. */
const proseLines = (file, lines) => {
  let isFenced = false;
  return lines.flatMap((text, index) => {
    if (/^\s*(```|~~~)/.test(text)) isFenced = !isFenced;
    const isProse = file.endsWith('.md') ? !isFenced : isComment.test(text);
    return isProse && !isTableOrUrl.test(text) ? [{ text, number: index + 1 }] : [];
  });
};

const tracked = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.sql', '*.md'], { encoding: 'utf8' });
const files = tracked.split('\n').filter((file) => file && !generated.test(file) && file !== 'tools/words.mjs');
const faults = files.flatMap((file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const long = proseLines(file, lines)
    .filter(({ text }) => [...text].length > 120)
    .map(({ number }) => `${file}:${number}: over 120 columns`);
  const banned = lines.flatMap((text, index) =>
    words
      .filter(([word, , where]) => where.test(file) && word.test(text))
      .map(([word, better]) => `${file}:${index + 1}: "${word.exec(text)?.[0]}"; write ${better}`),
  );
  return [...long, ...banned];
});
for (const fault of faults) console.error(`FAIL ${fault}`);
console.log(`words: ${files.length} files, ${faults.length} problems.`);
process.exitCode = faults.length > 0 ? 1 : 0;
