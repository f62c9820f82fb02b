import messages from '../messages/de.json' with { type: 'json' };

export default messages;
