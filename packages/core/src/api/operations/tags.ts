/** The group of what the platform and recipients do, in a test environment: the last one. */
export const simulationTag = 'Simulation';

/** The groups of operations, in the order of a partner's work. */
const descriptions: Readonly<Record<string, string>> = {
  Login: 'Access tokens: OAuth 2.0 client credentials.',
  Account: 'The account of the client, and its children.',
  'Payment requests': 'Payments that an account asks of others.',
  'Payment templates': 'Presets of payment requests.',
  'Security deposits': 'Requests for deposits (cautions), from the payment to the end of the stay.',
  'Security deposit templates': 'Presets of security deposits.',
  'Cash-outs': 'Amounts that an account asks for out of a deposit.',
  'Account cash-outs': 'The cash-outs of all deposits of an account.',
  Transactions: 'What the payment processor carried out.',
  Webhooks: 'Webhook endpoints, and the events that are sent to them.',
  Session: 'Who is logged in to the web interface.',
  Keys: 'API keys, for the web interface.',
  Deliveries: 'Events and their deliveries.',
  'Audit trail': 'Who changed API keys and webhooks.',
  Alerts: 'The address for alerts.',
  Sending: 'Pauses of sending, for operators of the platform.',
};
const order = Object.keys(descriptions);
const simulation = { name: simulationTag, description: 'What the platform and recipients do, in a test environment.' };

/** Describes groups in their order; those of the host's own routes come before the last one. */
export const describeTags = (tags: ReadonlySet<string>) => {
  const own = [...tags].filter((tag) => tag !== simulationTag && !order.includes(tag)).toSorted();
  return [
    ...[...order.filter((tag) => tags.has(tag)), ...own].map((name) => ({
      name,
      description: descriptions[name] ?? name,
    })),
    ...(tags.has(simulationTag) ? [simulation] : []),
  ];
};
