/** The texts of the first pages: start, log in, accounts. */
export const englishStart = {
  'start.title': 'Start',
  'start.description': 'Receive your first webhook in minutes.',
  'start.intro':
    'This handbook is for developers who connect a system to {name}. {name} has an HTTP API, and sends webhooks: signed HTTP requests to an address of yours, one for each event that you choose.',
  'start.account': '**Account**: an organisation that uses {name}. An account may have child accounts.',
  'start.key': '**API key**: a client id and a client secret of one account. Your program logs in with it.',
  'start.endpoint':
    '**Webhook**: an HTTPS address of yours, the events that it receives, and a secret that begins with `whsec_`.',
  'start.choose': '**Event**: a webhook chooses types, such as `creation` of all objects, or `Object.creation` of one.',
  'start.receiver': '1. Write a receiver',
  'start.receiver-text':
    'Save this program as `receiver.py`. It needs Python 3.9 or later, and nothing else. It verifies each request, stores which events it has processed, says whether an event is the newest of its object, and answers.',
  'start.receiver-other':
    'Write a program that answers an HTTP POST. Verify each request as [Verify a signature]({signature}) shows, then answer 204.',
  'start.try': '2. Try it on your machine',
  'start.try-text': 'Start the program with the secret of a demonstration:',
  'start.try-send':
    'In another terminal, send it a signed event. It answers 204. Change one character of the body, and it answers 401.',
  'start.connect': '3. Connect it to {name}',
  'start.connect-steps':
    '1. Make the receiver reachable: {name} sends to an HTTPS address on the internet. A tunnel from your machine serves for a trial.\n2. In the web interface of {name}, add a webhook with this address, and choose its events.\n3. Copy the secret, which is shown once. Start the receiver with it in `WEBHOOK_SECRET`.\n4. Send a test event from the web interface. Your receiver prints it.',
  'start.connect-steps-api':
    '1. Make the receiver reachable: {name} sends to an HTTPS address on the internet. A tunnel from your machine serves for a trial.\n2. [Log in]({login}), and create a webhook with this address and its events: `POST …/webhooks` in [Operations]({operations}). The web interface of {name} does so, too.\n3. Keep the secret of the answer, which is shown once. Start the receiver with it in `WEBHOOK_SECRET`.\n4. Send a test event: `POST …/webhooks/{endpointId}/test`. Your receiver prints it.',
  'start.connect-api':
    'In a test environment, your program can ask for a test event, too: see [Test environment]({sandbox}).',
  'start.connect-listen':
    'Without a public address, your machine asks {name} for the events. This needs Node.js. It makes a webhook for the run, deletes it at the end, and prints the secret with which it signs:',
  'start.of-key': 'of an API key',
  'start.call': '4. Call the API',
  'start.call-text':
    'Ask {name} for an API key, or add one in its web interface. [Log in]({login}) with it, and send the access token with each request. [Accounts]({accounts}) says which accounts it reaches.',
  'start.next': 'Next',
  'login.title': 'Log in',
  'login.description': 'Get an access token with an API key.',
  'login.intro':
    'Log in with the id and the secret of an API key (OAuth 2.0 client credentials, RFC 6749 §4.4). With `USER` as `scope`, the token has all rights of the key. `scope` can also name some of them.',
  'login.token-endpoint': 'The token endpoint is `{url}`.',
  'login.use': 'Send the access token with each request:',
  'login.lifetime':
    'A token is valid for {lifetime}. `expires_in` says so in seconds. Log in again when it has expired, or after a 401. Do not log in for each request.',
  'login.networks':
    'An API key may be used from some networks only. A login from elsewhere is refused as a wrong secret is, and a call from elsewhere answers 403 `address_not_allowed`.',
  'login.other-forms':
    'The token endpoint also accepts `application/x-www-form-urlencoded`, and the id and the secret by HTTP Basic. A standard OAuth library works. An API key with public keys logs in by `private_key_jwt` (RFC 7523): sign a new JWT for each login.',
  'login.python': 'In Python',
  'login.python-text': 'The standard library is enough:',
  'login.revoke': 'Revoke a token',
  'login.revoke-text':
    'This ends a token before its time (RFC 7009). The answer is 200 without a body, also to a token that is unknown.',
  'login.rights': 'Rights',
  'login.rights-text':
    '{name} gives an API key rights. [Operations]({operations}) names the right that each operation needs. In `scope`, separate several by spaces.',
  'login.reads': 'Reads {part}.',
  'login.changes': 'Reads and changes {part}.',
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
    '`status` is `active`, or another word of {name} for an account that is not in use. `environment` is a word of {name}, such as `prod` or `test`. A key reaches accounts of its own environment only. Work with the test account first: see [Test environment]({sandbox}).',
} as const;
