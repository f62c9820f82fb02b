import messages from '../messages/nl.json' with { type: 'json' };

export default messages;
