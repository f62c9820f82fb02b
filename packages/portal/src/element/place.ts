/** The screens by the first segment of their address. @internal */
export const screenNames = ['home', 'requests', 'webhooks', 'deliveries', 'events', 'keys', 'audit', 'verify'] as const;

/** @internal */
export type ScreenName = (typeof screenNames)[number];

/** Where a person is. @internal */
export interface Place {
  readonly screen: ScreenName;
  /** An endpoint, `new`, a delivery, or an object of requests. */
  readonly id?: string;
  /** The form of the endpoint. */
  readonly isEditing?: boolean;
  /** Filters, and what else the address keeps of a screen. */
  readonly filter?: Readonly<Record<string, string>>;
}

const filters = [
  'show',
  'state',
  'endpointId',
  'objectName',
  'type',
  'objectId',
  'eventId',
  'from',
  'to',
  'search',
  'period',
  'reference',
  'recipientEmail',
  'depositId',
];
/** The end of the year 9999, in seconds: a later time is no date of a form. */
const latest = 253_402_300_799;

/** A place as the hash of a URL, such as `#/webhooks/id`. @internal */
export const hashOf = ({ screen, id, isEditing, filter }: Place): string => {
  const path = [screen, ...(id === undefined ? [] : [encodeURIComponent(id)]), ...(isEditing ? ['edit'] : [])];
  const query = filter && Object.keys(filter).length > 0 ? `?${new URLSearchParams(filter)}` : '';
  return `#/${path.join('/')}${query}`;
};

/** What a hash may name: anybody can write a link to the portal. */
const ids: Readonly<Partial<Record<ScreenName, RegExp>>> = {
  webhooks: /^(?:new|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  // The id of a delivery has those of its event and its endpoint.
  deliveries:
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[1-9]\d{0,4})?$/,
  // The platform chooses these ids.
  requests: /^[^\p{Cc}]{1,256}$/u,
};

/** An id of a path, which is encoded. */
const idOf = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const isFilter = (name: string, value: string): boolean =>
  name === 'from' || name === 'to' ? /^\d{1,12}$/.test(value) && Number(value) <= latest : filters.includes(name);

/** The place of a hash; `undefined` for another one. Filters that the portal does not know are left out. @internal */
export const placeOf = (hash: string): Place | undefined => {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?');
  const [name, encodedId = '', edit, ...more] = path.split('/');
  const id = idOf(encodedId);
  const screen = screenNames.find((each) => each === name);
  if (screen === undefined || id === undefined || !hash.startsWith('#/') || more.length > 0) return undefined;
  if (id !== '' && !ids[screen]?.test(id)) return undefined;
  const filter = Object.fromEntries([...new URLSearchParams(query)].filter(([each, value]) => isFilter(each, value)));
  return {
    screen,
    ...(id === '' ? {} : { id }),
    ...(edit === 'edit' && screen === 'webhooks' ? { isEditing: true } : {}),
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
  };
};
