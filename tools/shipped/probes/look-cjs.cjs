const { look } = require('./look.cjs');
look(process.argv.slice(2), require, require.resolve);
