'use strict';

process.stdout.write(process.argv.length > 2 ? `hello ${process.argv[2]}\n` : 'hello\n');
