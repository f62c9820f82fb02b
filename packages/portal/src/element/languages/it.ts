import messages from '../messages/it.json' with { type: 'json' };

export default messages;
