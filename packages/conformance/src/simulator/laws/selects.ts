import type { Endpoint, NewEvent } from '@partnerkit/core/adapter';

/** Whether an endpoint selects an event, by type or by object and type. */
export const selects = (
  { events }: Pick<Endpoint, 'events'>,
  { objectName, type }: Pick<NewEvent, 'objectName' | 'type'>,
): boolean =>
  events.some((selector) => {
    const [first, second] = selector.split('.');
    return second === undefined ? first === type : first === objectName && second === type;
  });
