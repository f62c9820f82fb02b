import { englishCodes } from './english-codes.ts';

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
  written: 'Written by `partnerkit handbook`. Change only the text inside a place: the next run keeps it.',
  'handbook.title': '{name}: handbook for partners',
  'handbook.description': 'How to call the API of {name}, and how to receive its webhooks.',
  answered: 'The answer:',
  words: 'In the samples, `$CLIENT_ID` and other words in capitals stand for values of yours.',

  'start.title': 'Start',
  'start.description': 'Receive your first webhook in minutes.',
  'start.intro':
    'This handbook is for developers who connect a system to {name}. {name} has an HTTP API, and sends webhooks: signed HTTP requests to an address of yours, one for each event that you choose.',
  'start.account': '**Account**: an organisation that uses {name}. An account may have child accounts.',
  'start.key': '**API key**: a client id and a client secret of one account. Your program logs in with it.',
  'start.endpoint':
    '**Webhook**: an HTTPS address of yours, the events that it receives, and a secret that begins with `whsec_`.',
  'start.receiver': '1. Write a receiver',
  'start.receiver-text':
    'Save this program as `receiver.py`. It needs Python 3.9 or later, and nothing else. It verifies each request, ignores an event that it has already processed, and answers.',
  'start.receiver-other':
    'Write a program that answers an HTTP POST. Verify each request as [Verify a signature]({signature}) shows, then answer 204.',
  'start.try': '2. Try it on your machine',
  'start.try-text': 'Start the program with the secret of a demonstration:',
  'start.try-send':
    'In another terminal, send it a signed event. It answers 204. Change one character of the body, and it answers 401.',
  'start.connect': '3. Connect it to {name}',
  'start.connect-steps':
    '1. Make the receiver reachable: {name} sends to an HTTPS address on the internet. A tunnel from your machine serves for a trial.\n2. In the web interface of {name}, add a webhook with this address, and choose its events.\n3. Copy the secret, which is shown once. Start the receiver with it in `WEBHOOK_SECRET`.\n4. Send a test event from the web interface. Your receiver prints it.',
  'start.connect-api':
    'In a test environment, your program can ask for a test event, too: see [Test environment]({sandbox}).',
  'start.connect-listen':
    'Without a public address, your machine asks {name} for the events. This needs Node.js. It makes a webhook for the run, deletes it at the end, and prints the secret with which it signs:',
  'start.call': '4. Call the API',
  'start.call-text':
    'Ask {name} for an API key, or add one in its web interface. [Log in]({login}) with it, and send the access token with each request. [Accounts]({accounts}) says which accounts it reaches.',
  'start.next': 'Next',

  'login.title': 'Log in',
  'login.description': 'Get an access token with an API key.',
  'login.intro':
    'Log in with the id and the secret of an API key (OAuth 2.0 client credentials, RFC 6749 §4.4). `scope` is `USER`: everything that the key may do. It can also name some rights of the key, such as `requests:read`.',
  'login.token-endpoint': 'The token endpoint is `{url}`.',
  'login.use': 'Send the access token with each request:',
  'login.lifetime':
    'A token is valid for {lifetime}. `expires_in` says so in seconds. Log in again when it has expired, or after a 401. Do not log in for each request.',
  'login.other-forms':
    'The token endpoint also accepts `application/x-www-form-urlencoded`, and the id and the secret by HTTP Basic. A standard OAuth library works. An API key with public keys logs in by `private_key_jwt` (RFC 7523): sign a new JWT for each login. `/revoke` beside the token endpoint ends a token (RFC 7009).',
  'login.networks':
    'An API key may be used from some networks only. A login from elsewhere is refused as a wrong secret is, and a call from elsewhere answers 403 `address_not_allowed`.',
  'login.python': 'In Python',
  'login.python-text': 'The standard library is enough:',
  'login.secret': 'Keep the secret',
  'login.secret-text':
    'The secret is shown once. Keep it out of your code and of your logs. A lost secret cannot be read again: add a second one in the web interface, change your program over, then revoke the first.',
  'login.failed':
    'After {points} failed logins of one client from one address within {window}, logins answer 429. Wait as `Retry-After` says.',

  'accounts.title': 'Accounts',
  'accounts.description': 'The accounts that an API key reaches.',
  'accounts.intro':
    'An API key belongs to one account. It reaches this account and its direct child accounts. The path of a request names the account: `{path}`. Every other account answers 404, as one that does not exist. Ask {name} for the ids of your accounts.',
  'accounts.read': 'Read an account',
  'accounts.environment':
    '`status` says whether the account is in use, and `environment` where it belongs. A key reaches accounts of its own environment only. Work with the test account first: see [Test environment]({sandbox}).',

  'operations.title': 'Operations',
  'operations.description': 'Every request that the API takes.',
  'operations.intro':
    'All paths begin with `{origin}`. Each request needs an [access token]({login}). Bodies are JSON in UTF-8. A [code]({errors}) says why a request was refused.',
  'operations.repeat': 'Repeat a request',
  'operations.repeat-text':
    'Send an `Idempotency-Key` with a POST, such as a UUID. After a lost connection or a 503, send the same request with the same key: it takes effect once, and the answer is the first one, for 24 hours.',
  'operations.webhooks':
    'Your program can manage webhooks with an access token. A secret is in one answer alone: the first one to the creation of a webhook, or to a rotation. If you lost it, prepare and activate another one.',
  'operations.versions': 'Versions',
  'operations.versions-text':
    'The `ETag` of an answer names the version of the object. Send it as `If-Match` with a change: if the object has changed meanwhile, the answer is 412 and nothing changes. Its quotes belong to it. Without `If-Match`, the change is applied to the present version.',
  'operations.created':
    'An answer to a creation names the path of the new object in `Location`, and its version in `ETag`.',
  'operations.no-repeat':
    'These operations take no `Idempotency-Key`: {operations}. After a lost connection or a 503, read before you repeat one: it may have taken effect.',
  'operations.cached':
    'A read takes the version that you have as `If-None-Match`. If it is still the present one, the answer is 304 without a body.',
  'operations.lists': 'Lists',
  'operations.lists-text':
    'A list answers `{ "items": […], "next": "…" }`, with at most `limit` items. While there is a `next`, send it as `after`, with the same other parameters, to read the next page. Several values of a parameter have commas between them. The parameters of lists:',
  'operations.only': 'In the state {last}, only these can change: {fields}.',
  'operations.only-some': 'In the state {states} or {last}, only these can change: {fields}.',
  'operations.takes': '- {operation} takes {parameters}.',
  'operations.input': 'The body of {operations}:',
  'operations.outputs': 'Answers',
  'operations.output': 'An object in the answer of {operations}:',
  'operations.within': 'A [{object}]({place}).',
  'operations.answers': 'An object in the answer of {operations} has fields of [{object}]({place}).',
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
    'A webhook receives the types of events that it has chosen, of its account and of the child accounts.',
  'events.envelope': 'The body',
  'events.envelope-text': 'Each request has this body:',
  'events.timestamp':
    'The time of the event, in seconds since 1970. It increases with every event of one object, and can be up to 60 seconds ahead of your clock.',
  'events.timestamp-iso': 'The time of the event (RFC 3339). It increases with every event of one object.',
  'events.data': 'The object: see [Objects]({objects}).',
  'events.object-name': 'The kind of the object.',
  'events.type': 'The type of the event.',
  'events.pair': 'The kind of the object, a dot, and the type of the event.',
  'events.own-envelope': 'The samples show the form of the body.',
  'events.unknown': 'New types may be added. Answer 204 to a type that you do not know.',
  'events.test': 'The `data.id` of a test event begins with `test_`. No such object exists.',
  'events.order':
    'An event can arrive twice, and after a later one. Before you process an event, look whether you have stored {key}. Store it in the transaction of your own change.',
  'events.late':
    'Keep the `timestamp` of the newest event of each object. An older event tells a state that has passed: store it, answer 204, and do not overwrite what is newer.',
  'events.late-other':
    'Keep the time of the newest event of each object. An older event tells a state that has passed: store it, answer 204, and do not overwrite what is newer.',
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
  'signature.rotation':
    'While a secret is being replaced, both secrets are valid: verify with both, and accept a request that fits one.',
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
  'retries.answers-text': 'Answer within {deadline}. Do long work afterwards.',
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
  'retries.failing': 'A webhook that fails',
  'retries.failing-text':
    'After {failures} failed attempts in a row, deliveries to the webhook pause for {pauses}, then longer, and one attempt tests it. No attempt of an event is used up meanwhile.',
  'retries.disabled':
    'A webhook is disabled after {failing} of failures, at least {failures} failed attempts, and one event whose attempts are used up. Enable it again in the web interface: events that waited are sent, for {held}.',
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
  'limit.429': 'Beyond a limit of requests, the answer is 429. Wait as `Retry-After` says.',

  'errors.title': 'Errors',
  'errors.description': 'Every code, with its meaning and remedy.',
  'errors.intro':
    'An error is a problem document (RFC 9457). Compare `code`, which is stable. `detail` is for people, and `errors` names each wrong field of the body by `pointer`, each wrong parameter by `parameter`. After 429 and 503, wait as `Retry-After` says. Name the header `x-request-id` when you ask {name} about an error.',
  'errors.login': 'The login answers in the form of OAuth (RFC 6749 §5.2): `error` and `error_description`.',
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
  'sandbox.test-events-api':
    'Your program can ask for test events to all enabled webhooks of the account, whatever they have chosen:',
  'sandbox.simulate': 'Play the other side',
  'sandbox.simulate-text':
    'In a test environment, these operations do what {name} or a guest would do. Elsewhere they answer 404.',

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

  ...englishCodes,
} as const;
