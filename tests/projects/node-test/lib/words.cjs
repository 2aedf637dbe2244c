'use strict';

exports.shout = (text) => (text.length > 3 ? text.toUpperCase() : text);
