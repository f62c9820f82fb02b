/** What identifies a delivery. */
export interface Key {
  readonly accountId: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly replay: number;
}

/** The parts of the public id of a delivery: event, endpoint, and the number of the replay. */
export const deliveryKey = (accountId: string, id: string): Key => {
  const [eventId = '', endpointId = '', replay = '0'] = id.split('.');
  return { accountId, eventId, endpointId, replay: Number(replay) };
};

export const keyText = ({ accountId, eventId, endpointId, replay }: Key): string =>
  `${accountId} ${eventId}.${endpointId}.${replay}`;
