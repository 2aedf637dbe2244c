// Serves the folder `page`, and the price list.
const fs = require('fs');
const http = require('http');
const path = require('path');

const { prices } = require('./prices.js');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

http
  .createServer((request, response) => {
    if (request.url === '/prices') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(prices(2)));
      return;
    }
    const file = path.join(__dirname, 'page', path.basename(request.url) || 'index.html');
    if (!fs.existsSync(file)) {
      response.writeHead(404);
      response.end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] });
    response.end(fs.readFileSync(file));
  })
  .listen(Number(process.env.CART_PORT || 43117), '127.0.0.1');
