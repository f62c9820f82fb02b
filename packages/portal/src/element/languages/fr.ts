import messages from '../messages/fr.json' with { type: 'json' };

export default messages;
