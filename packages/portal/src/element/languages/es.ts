import messages from '../messages/es.json' with { type: 'json' };

export default messages;
