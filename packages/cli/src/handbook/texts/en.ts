import { englishCodes } from './english-codes.ts';
import { englishPages } from './english-pages.ts';
import { englishStart } from './english-start.ts';

/** The texts of the pages. Words in braces are values. */
export const en = {
  'duration.none': 'at once',
  'label.yes': 'yes',
  'label.deprecated': 'Deprecated.',
  'head.field': 'Field',
  'head.type': 'Type',
  'head.required': 'Required',
  'head.always': 'Always present',
  'head.parameter': 'Parameter',
  'head.meaning': 'Meaning',
  'head.operation': 'Operation',
  'head.effect': 'Effect',
  'head.right': 'Right',
  'head.takes': 'Takes',
  'head.values': 'Values',
  'head.default': 'Default',
  'head.situation': 'Situation',
  'head.word': 'Word',
  'head.state': 'State',
  'head.from': 'From',
  'head.to': 'To',
  'head.books': 'Records money',
  'head.step': 'Step',
  'head.request': 'Request',
  'head.body': 'Body',
  'head.id': 'Its `id`',
  'head.event': 'Event',
  'head.header': 'Header',
  'head.content': 'Content',
  'head.answer': 'Your answer',
  'head.reaction': 'Reaction of {name}',
  'head.attempt': 'Attempt',
  'head.after': 'After the attempt before',
  'head.since': 'Since the first attempt',
  'head.limit': 'Limit',
  'head.value': 'Value',
  'head.status': 'Status',
  'head.code': 'Code',
  'head.remedy': 'Meaning and remedy',
  'head.part': 'Part',
  'head.change': 'Change',
  'kind.text': 'text',
  'kind.number': 'number',
  'kind.integer': 'whole number',
  'kind.boolean': 'true or false',
  'kind.object': 'object',
  'kind.date': 'date, `YYYY-MM-DD`',
  'kind.any': 'any',
  'kind.list': 'list of: {of}',
  'kind.values': 'one of {values}',
  'kind.values-at': 'one of [these values]({place})',
  written: 'Written by `partnerkit handbook`. Change only the text inside a place: the next run keeps it.',
  'handbook.title': '{name}: handbook for partners',
  'handbook.description': 'How to call the API of {name}, and how to receive its webhooks.',
  answered: 'The answer:',
  words:
    'In the samples, `$CLIENT_ID` and other words in capitals stand for values of yours. `$ACCOUNT_ID` is `{organisationId}` in paths.',

  'operations.title': 'Operations',
  'operations.description': 'Every request that the API takes.',
  'operations.intro':
    'All paths begin with `{origin}`. Each request needs an [access token]({login}). Bodies are JSON in UTF-8. A [code]({errors}) says why a request was refused.',
  'operations.repeat': 'Repeat a request',
  'operations.repeat-text':
    'Send an `Idempotency-Key` with an operation that takes one: 1 to 255 visible ASCII characters, such as a UUID. After a lost connection or a 503, send the same request with the same key. It takes effect once, and its answer is the first one, without a mark.\n\n- The same request has the same path and the same JSON value. White space and the order of fields do not matter. Another request with the key is 422 `idempotency_conflict`.\n- A key belongs to one API key and one account, for 24 hours.\n- A refusal stores no key: correct the request, and send it with the same key. In a batch, a refused item keeps its result.',
  'operations.repeat-late':
    'After 24 hours, look first: list the objects with your `reference`. So give each object a `reference` of yours.',
  'operations.repeat-late-read': 'After 24 hours, list what exists before you repeat a request.',
  'operations.webhooks':
    'A secret is in one answer alone: the first one to the creation of a webhook, or to a rotation. If you lost it, prepare and activate another one. [Webhooks by program]({webhooks}) says which operation fits.',
  'operations.versions': 'Versions',
  'operations.versions-text':
    'The `ETag` of an answer names the version of the object; its quotes belong to it. Send it as `If-Match` with an operation that takes it: if the object has changed meanwhile, the answer is 412 and nothing changes. Without `If-Match`, the change is applied to the present version.',
  'operations.versions-commands':
    'A command that agrees to an amount names it, or `If-Match`: else the answer is 428 `version_required`. Each entry of a history has the `version` after it. A change that changes nothing keeps the `ETag`, and sends no event.',
  'operations.created':
    'An answer to a creation names the path of the new object in `Location`, and its version in `ETag`.',
  'operations.no-repeat':
    'Other operations have no `Idempotency-Key` in their table. After a lost connection or a 503, read before you repeat a POST: it may have taken effect. A PATCH and a DELETE may be repeated.',
  'operations.cached':
    'A read takes the version that you have as `If-None-Match`. If it is still the present one, the answer is 304 without a body.',
  'operations.lists': 'Lists',
  'operations.lists-text':
    'A list answers `{ "items": […], "next": "…" }`. While there is a `next`, send it as `after`, with the same other parameters, to read the next page. A page continues behind the last object of the page before, and new objects do not move it. An unknown parameter is 400 `invalid_query`. The parameters of lists:',
  'operations.lists-pull':
    'The events of a `pull` webhook always have a `next`: read on while `hasMore` is `true`, as [Webhooks by program]({webhooks}) shows.',
  'operations.only': 'In the state {last}, only these can change: {fields}.',
  'operations.only-some': 'In the state {states} or {last}, only these can change: {fields}.',
  'operations.takes': '- {operation} takes {parameters}.',
  'operations.input': 'The body of {operations}:',
  'operations.outputs': 'Answers',
  'operations.outputs-text': 'Of a list, the table shows one of the `items`.',
  'operations.output': 'The answer of {operations}:',
  'operations.within': 'A [{object}]({place}).',
  'operations.within-answer': 'An object as in the answer of {operations}.',
  'operations.answers': 'The answer of {operations} has fields of [{object}]({place}).',
  'operations.example': 'Example: `{operation}`',

  'objects.title': 'Objects',
  'objects.description': 'Every object that webhooks send, with its fields.',
  'objects.intro':
    'A webhook sends the state of an object in `data`. `id` is always present. A field without a value is absent. Ignore fields that you do not know: {name} may add some.',
  'objects.sent': 'Its events: {events}.',
  'objects.values': 'One of {values}.',
  'objects.only': 'Only in {events}.',
  'objects.open': 'The body is of the form that [Events]({events}) shows.',

  'events.title': 'Events',
  'events.description': 'Every event, with a sample of what it sends.',
  'events.intro':
    'A webhook receives the types of events that it has chosen, of its account. If it includes child accounts, it receives theirs, too.',
  'events.intro-api':
    'A webhook receives the types of events that it has chosen, of its account. With `includeChildren`, it receives those of direct child accounts, too; by default it does not.',
  'events.choose': 'It chooses a type of all objects, such as {type}, or of one object, such as {example}.',
  'events.envelope': 'The body',
  'events.envelope-text': 'Each request has this body:',
  'events.timestamp':
    'Orders the events of one object, in seconds since 1970. It is at least the time of the event, rises by 1 or more with each event of the object, and can be up to 60 seconds ahead of your clock.',
  'events.timestamp-iso':
    'Orders the events of one object (RFC 3339). It is at least the time of the event, and increases with each event of the object.',
  'events.data': 'The object: see [Objects]({objects}).',
  'events.object-name': 'The name of the type of the object.',
  'events.type': 'The type of the event.',
  'events.pair': 'The name of the type of the object, a dot, and the type of the event.',
  'events.own-envelope': 'The samples show the form of the body.',
  'events.unknown': 'New types may be added. Answer 204 to a type that you do not know.',
  'events.test': 'The `data.id` of a test event begins with `test_`. No such object exists.',
  'events.order':
    'An event can arrive twice, and after a later one. Before you process an event, look whether you have stored {key}. Store it in the transaction of your own change.',
  'events.late':
    'Keep the `timestamp` of the newest event of each object. An older event tells a state that has passed: store it, answer 204, and do not overwrite what is newer.',
  'events.late-other':
    'Keep the time of the newest event of each object. An older event tells a state that has passed: store it, answer 204, and do not overwrite what is newer.',
  'events.held-back':
    'When one object changes fast, its `timestamp` runs ahead of the clock. An event waits while it is more than 60 seconds ahead: then about one arrives each second.',
  'events.account':
    'The envelope does not name the account. With events of child accounts, take it from the object, or from `childAccountId` of the list of events.',
  'events.key': '`objectName`, `data.id`, `type` and `timestamp`',
  'events.key-pair': '`data.id`, `type` and `timestamp`',
  'events.key-other': 'the id of the event',
  'events.sample': 'Sample of {events}:',
  'events.same-fields': 'These events send the same fields: {events}.',

  'signature.title': 'Verify a signature',
  'signature.description': 'How to know that a webhook comes from {name}.',
  'signature.intro':
    'Anyone can send a request to your address. The signature proves that {name} sent it, and that nobody changed it. Verify it before anything else.',
  'signature.rules':
    '1. Read the **bytes** of the body as they arrived, before any JSON parser.\n2. Check the signature, as shown below. Compare in constant time.\n3. If it differs, or is missing, answer 401 and do nothing.\n4. Parse the JSON. If you have processed the event before, answer 204.\n5. Store your change and the key of the event in one transaction. Answer 204.',
  'signature.several': 'Each request has these signatures. Each one that you check must be valid.',
  'signature.optional':
    'Only webhooks with `standardWebhooks` have these headers. What is signed is `webhook-id`, a dot, `webhook-timestamp`, a dot, and the body. The key is the secret without `whsec_`, decoded from Base64. `webhook-signature` can have several signatures with spaces between them: accept one that fits.',
  'signature.rotation':
    'While a secret is being replaced, verify with the present one and with the next one, and accept a request that fits one. The present one signs until the next one is activated.',
  'signature.age': 'How old a message may be',
  'signature.age-untimed':
    'A signature without a time stays valid, so an old message can be sent to you again. Its key protects you: an event that you have processed is answered 204, and has no effect. Refuse a `timestamp` that is older than {days} days with 401: {name} sends no event later.',
  'signature.age-timed':
    'A signature with a time is made anew at each attempt: refuse one whose time differs from your clock by more than 5 minutes.',
  'signature.age-keys': 'Keep the keys of processed events for {days} days: as long, an event can be sent again.',
  'signature.key-secret': 'The key is the secret of the webhook, which begins with `whsec_`.',
  'signature.key-public':
    '{name} signs with a key of its own. Its public keys are at `{url}`. `webhook-id` ends with `_` and the id of your webhook: refuse any other.',
  'signature.time': 'Refuse a request whose time differs from your clock by more than 5 minutes.',
  'signature.until': 'It ends on {date}: from then on it is not sent.',
  'signature.vector': 'A vector to test with',
  'signature.vector-text':
    'Your code is right if it accepts this request, and refuses it once any character of the body is changed. The key is for demonstrations.',
  'signature.vector-secret': 'Secret: `{secret}`',
  'signature.vector-public': 'Public key: `{key}`. Id of the webhook: `{endpoint}`.',
  'signature.vector-time': 'The time of the vector is past: for this test, take `{time}` for the time of your clock.',
  'signature.code': 'Code',
  'signature.no-code': 'Check the signature as the table says, and test your code with the vector.',
  'signature.find': 'When a signature is wrong',
  'signature.find-text':
    'Save the request with its headers to a file, and run `npx @partnerkit/cli verify request.txt` with your secret in `WEBHOOK_SECRET`: it names the cause. The usual ones: the JSON was parsed and written again; the secret was cut, decoded or quoted; the framework changed the encoding of the body.',

  'retries.title': 'Retries and limits',
  'retries.description': 'What {name} does after each answer, and the limits in force.',
  'retries.answers': 'Answers',
  'retries.answers-text': 'Answer within {deadline}. Answer first, and do long work afterwards.',
  'retries.done': 'The event is delivered. It is not sent again.',
  'retries.gone': 'The webhook is disabled. Nothing more is sent.',
  'retries.pause': 'Nothing is sent to the webhook for that time, at most {longest}.',
  'retries.pause-answer': '429 or 503 with `Retry-After`',
  'retries.none': 'any other status, a redirect, or no answer',
  'retries.again': 'The event is sent again: see below.',
  'retries.schedule': 'Retries',
  'retries.schedule-text':
    'Each event is sent up to {attempts} times. Up to a tenth is added to each delay, so that retries do not arrive all at once.',
  'retries.exhausted':
    'After the last attempt, the event stays in the web interface of {name}, from where it can be sent again for {stored}.',
  'retries.exhausted-api':
    'After the last attempt, the event can be sent again for {stored}: see [Webhooks by program]({webhooks}).',
  'retries.failing': 'A webhook that fails',
  'retries.failing-text':
    'After {failures} failed attempts in a row, deliveries to the webhook pause for {pauses}, then longer, and one attempt tests it. No attempt of an event is used up meanwhile.',
  'retries.disabled':
    'A webhook is disabled when three conditions hold: it has failed for {failing}, at least {failures} attempts failed, and one event has used up its attempts. Enable it again in the web interface: events that waited are sent, for {held}.',
  'retries.disabled-api':
    'A webhook is disabled when three conditions hold: it has failed for {failing}, at least {failures} attempts failed, and one event has used up its attempts. Enable it again with `enable`: events that waited are sent, for {held}. Events that are published while you disabled it yourself are not kept: see [Webhooks by program]({webhooks}).',
  'retries.limits': 'Limits',
  'limit.body': 'Size of the body of a webhook',
  'limit.endpoints': 'Webhooks of an account',
  'limit.deadline': 'Time for your answer',
  'limit.stored': 'How long an event can be sent again',
  'limit.held': 'How long events wait for a disabled webhook',
  'limit.token': 'Lifetime of an access token',
  'limit.failed': 'Failed logins of one client from one address',
  'limit.logins': 'Logins of one client',
  'limit.calls': 'Requests of one client',
  'limit.in': '{points} in {window}',
  'limit.none': 'no limit',
  'limit.429': 'Beyond a limit of requests, the answer is 429. Wait as `Retry-After` says.',

  'errors.title': 'Errors',
  'errors.description': 'Every code, with its meaning and remedy.',
  'errors.intro':
    'An error is a problem document (RFC 9457). Compare `code`, which is stable. `detail` is for people, and `errors` names each wrong field of the body by `pointer` (RFC 6901; empty: the whole body), each wrong parameter by `parameter`. After 429 and 503, wait as `Retry-After` says; [Retries and limits]({retries}) has the limits. Each problem document has a header `x-request-id`: name it when you ask {name} about an error.',
  'errors.login': 'The login answers in the form of OAuth (RFC 6749 §5.2): `error` and `error_description`.',
  'errors.fields': 'A wrong field:',
  'errors.no-token': 'Without an access token:',
  'errors.not-found': 'An account that the key does not reach:',
  'errors.wrong-login': 'A wrong secret:',
  'errors.codes': 'Codes',
  'errors.other': 'A rule of {name}. `detail` says what to do.',

  'sandbox.title': 'Test environment',
  'sandbox.description': 'Try everything without real money or real guests.',
  'sandbox.intro':
    'A test account has the same API and the same webhooks as a real one. Its API keys and its objects are its own: nothing of it reaches a real account. Ask {name} for a test account.',
  'sandbox.test-events': 'Test events',
  'sandbox.test-events-ui':
    'The web interface of {name} sends a test event to one webhook. Its `data.id` begins with `test_`; its data is a sample, which may not fit the event, and it is signed as a real one.',
  'sandbox.test-events-key':
    'Your program sends a test event to one webhook: `POST …/webhooks/{endpointId}/test` in [Operations]({operations}), with the `sample` of the event from `GET …/webhook-catalogue` as `data`. Its `data.id` begins with `test_`, and it is signed as a real one. The web interface of {name} does so, too.',
  'sandbox.test-events-api':
    'Your program can ask for test events to all enabled webhooks of the account, whatever they have chosen:',
  'sandbox.simulate': 'Play the other side',
  'sandbox.simulate-text':
    'In a test environment, these operations do what {name} or a guest would do. Elsewhere they answer 404.',
  'sandbox.run': '[Requests from beginning to end]({requests}) shows their states, their events and a run with bodies.',

  'changes.title': 'Changes',
  'changes.description': 'What will end, and what takes its place.',
  'changes.intro': 'Change your program over before the date. Parts without a date still work.',
  'changes.operation': 'Operation `{operation}`',
  'changes.field': 'Field `{field}` of {object}',
  'changes.signature': 'Signature in `{header}`',
  'changes.signature-end': 'Ends on {date}. Verify another signature of [Verify a signature]({signature}).',
  'changes.event': 'Event `{event}`',
  'changes.since': 'Deprecated since {since}.',
  'changes.until': 'Deprecated since {since}, may be gone from {until}.',
  'changes.instead': 'Use {instead}.',
  'changes.deprecated': 'Deprecated. Do not use it in new programs.',

  'llms.pages': 'Pages',
  'llms.full': 'The whole handbook',
  'llms.full-text': 'All pages in one file.',

  ...englishStart,
  ...englishPages,
  ...englishCodes,
} as const;
